import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { droppedMessage } from './node-sdk-record.mjs'

/** Sends one item of every type that a Node program can send, the same with every SDK version. */
export async function playScenario(Sentry, { dsn, ending, program, record }) {
  if (ending) return endBadly(ending)
  Sentry.setUser({ id: 'user-1' })
  Sentry.setTag('plan', 'free')
  Sentry.addBreadcrumb({ category: 'queue', message: 'took a job' })

  captureErrors(Sentry)
  await serveRequests(Sentry)
  writeSignals(Sentry)
  await checkIn(Sentry)
  Sentry.captureFeedback({ message: 'The import was quick' })
  for (const how of ['rejects', 'throws']) record.add(await runChild(program, dsn, how))
  await Sentry.flush(5_000)
}

function captureErrors(Sentry) {
  Sentry.captureException(new Error('The import failed', { cause: new TypeError('Row 7 has no price') }))
  Sentry.captureMessage('The import was slow', 'warning')
  Sentry.captureException(new Error(droppedMessage))
  Sentry.withScope(scope => {
    scope.addAttachment({ filename: 'rows.csv', data: 'id,price\n7,\n', contentType: 'text/csv' })
    Sentry.captureException(new Error('The rows are attached'))
  })
}

async function serveRequests(Sentry) {
  const server = createServer(async (request, response) => {
    await Sentry.startSpan({ name: 'SELECT price FROM rows', op: 'db.query' }, pause)
    if (request.url === '/fails') {
      Sentry.captureException(new Error('The request failed'))
      response.statusCode = 500
    }
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${server.address().port}`
  await Sentry.startSpan({ name: 'nightly import', op: 'task' }, async () => {
    for (const path of ['/works', '/fails']) await (await fetch(url + path)).text()
  })
  server.closeAllConnections()
  server.close()
}

function writeSignals(Sentry) {
  Sentry.logger.info('Import started', { rows: 7 })
  Sentry.logger.error(Sentry.logger.fmt`Row ${7} was skipped`)
  Sentry.metrics.count('rows.read', 7)
  Sentry.metrics.gauge('queue.length', 3)
  Sentry.metrics.distribution('row.size', 512, { unit: 'byte' })
}

async function checkIn(Sentry) {
  const config = {
    schedule: { type: 'crontab', value: '0 3 * * *' },
    checkinMargin: 5,
    maxRuntime: 30,
    timezone: 'Etc/UTC',
  }
  await Sentry.withMonitor('nightly-import', pause, config)
  const checkInId = Sentry.captureCheckIn({ monitorSlug: 'price-sync', status: 'in_progress' }, config)
  Sentry.captureCheckIn({ checkInId, monitorSlug: 'price-sync', status: 'error', duration: 2 })
}

function endBadly(ending) {
  if (ending === 'rejects') Promise.reject(new Error('Nobody listened to this rejection'))
  // From a timer, as an exception inside this call would become a rejection.
  else setImmediate(throwUncaught)
}

function throwUncaught() {
  throw new Error('Nobody caught this exception')
}

/** An uncaught exception ends the child with code 1 after it was sent; it still prints its summary. */
function runChild(program, dsn, ending) {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, dsn, ending], (error, stdout) => {
      const summary = stdout.trim().split('\n').at(-1)
      if (summary) resolve(JSON.parse(summary))
      else reject(error ?? new Error(`The child that ${ending} printed nothing`))
    })
  })
}

async function pause() {
  await new Promise(resolve => setTimeout(resolve, 10))
}
