/**
 * What digest processes, writes and commits per second, from the first request until the inbox is empty: the client, ingest and
 * the engine share the machine with it. Both are held against a bare insert of the same rows into the same engine, as JSON, which is
 * what a client without an encoder of its own would send; what the engine takes in its own format, as digest sends it, is told beside it.
 *   npm run bench -- digest [--events 30000] [--spans 60000]
 */
import { bareInsertPerSecond } from './lib/bare-insert.ts'
import { readCapture } from './lib/capture.ts'
import { readNumber } from './lib/options.ts'
import { report } from './lib/report.ts'
import { runLoad } from './lib/run-load.ts'
import { spanEnvelope } from './lib/span-envelope.ts'
import { startBenchHydrant } from './lib/start-bench-hydrant.ts'
import { templateBody } from './lib/template-body.ts'

const events = readNumber('events', 30_000)
const spans = readNumber('spans', 60_000)
const hydrant = await startBenchHydrant({ web: false })
let serial = 1

try {
  const error = readCapture('node-error/002')
  const container = spanEnvelope()
  await digest(error, 1_000)
  const eventsPerSecond = events / (await digest(error, events))
  await digest(container.body, 20)
  const envelopes = Math.ceil(spans / container.spanCount)
  const spansPerSecond = (envelopes * container.spanCount) / (await digest(container.body, envelopes))
  const bareEvents = await bareInsertPerSecond(hydrant.dataDir, 'JSON', 'events', error, events)
  const bare = await bareInsertPerSecond(hydrant.dataDir, 'JSON', 'spans', container.body, envelopes)
  const ownEvents = await bareInsertPerSecond(hydrant.dataDir, 'Native', 'events', error, events)
  const own = await bareInsertPerSecond(hydrant.dataDir, 'Native', 'spans', container.body, envelopes)

  const limitName = 'bare insert of the same rows as JSON'
  const inOwnForm = (perSecond: number): string =>
    `as blocks of the engine's own format ${Math.round(perSecond).toLocaleString('en-US')} /s`
  const note = `${events.toLocaleString('en-US')} node errors of 4.6 KB, each with an id of its own; ${inOwnForm(ownEvents)}`
  report({
    name: 'error events digested',
    value: eventsPerSecond,
    unit: '/s',
    limit: { name: limitName, value: bareEvents },
    promise: { of: 'value', is: 'at least', bound: 4_000 },
    note,
  })
  report({
    name: 'spans digested',
    value: spansPerSecond,
    unit: '/s',
    limit: { name: limitName, value: bare },
    promise: { of: 'ratio', is: 'at least', bound: 0.5 },
    note: `${envelopes} envelopes of ${container.spanCount} SDK 11 spans, ${(container.body.length / container.spanCount / 1e3).toFixed(1)} KB each; ${inOwnForm(own)}`,
  })
} finally {
  await hydrant.stop()
}

/** Seconds until everything that was sent is in the stores; nothing may have been refused or dropped on the way. */
async function digest(body: Buffer, requests: number): Promise<number> {
  const begun = performance.now()
  const plan = {
    ...hydrant.target,
    bodies: [templateBody(body)],
    connections: 32,
    firstSerial: serial,
    stop: { afterRequests: requests },
  }
  const result = await runLoad(plan)
  await hydrant.drained()
  serial += result.requests
  const dropped = [...(await hydrant.metrics())].filter(
    ([name, value]) => name.startsWith('hydrant_outcomes_total') && value > 0,
  )
  if (result.acknowledged !== requests || dropped.length > 0)
    throw new Error(`${requests - result.acknowledged} of ${requests} refused; outcomes: ${JSON.stringify(dropped)}`)
  return (performance.now() - begun) / 1e3
}
