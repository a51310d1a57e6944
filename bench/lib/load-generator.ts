/**
 * Sends requests over raw sockets from a process of its own: a client library would cost more than the server that is measured.
 * Keep-alive, one request at a time on each connection.
 */
import { connect } from 'node:net'
import type { LoadPlan, LoadResult } from './load-plan.ts'
import { percentile } from './percentile.ts'
import { freshen, type TemplateBody } from './template-body.ts'

process.on('message', async (plan: LoadPlan) => process.send?.(await run(plan)))
process.on('disconnect', () => process.exit(0))

async function run(plan: LoadPlan): Promise<LoadResult> {
  const latenciesMs: number[] = []
  let serial = plan.firstSerial
  let requests = 0
  let acknowledged = 0
  const begun = performance.now()
  const mayGoOn = (): boolean =>
    'afterMs' in plan.stop ? performance.now() - begun < plan.stop.afterMs : requests < plan.stop.afterRequests

  function drive(): Promise<void> {
    const requestsOfMine = plan.bodies.map(body => requestFor(plan, body))
    return new Promise((resolve, reject) => {
      const socket = connect({ port: plan.port, host: '127.0.0.1', noDelay: true })
      let sentAt = 0
      let answer = ''
      const send = (): void => {
        if (!mayGoOn()) return void socket.end(resolve)
        const request = requestsOfMine[requests % requestsOfMine.length]
        if (!request) return
        requests += 1
        freshen(request, serial++)
        sentAt = performance.now()
        socket.write(request.bytes)
      }
      socket.on('connect', send)
      socket.on('data', chunk => {
        answer += chunk.toString('latin1')
        if (!isComplete(answer)) return
        latenciesMs.push(performance.now() - sentAt)
        if (answer.startsWith('HTTP/1.1 200')) acknowledged += 1
        answer = ''
        send()
      })
      socket.on('error', reject)
    })
  }

  await Promise.all(Array.from({ length: plan.connections }, drive))
  const seconds = (performance.now() - begun) / 1e3
  return { requests, acknowledged, seconds, p50Ms: percentile(latenciesMs, 0.5), p99Ms: percentile(latenciesMs, 0.99) }
}

/** Each connection has bytes of its own, because ids are written in place. */
function requestFor(plan: LoadPlan, body: TemplateBody): TemplateBody {
  const head = Buffer.from(
    `POST ${plan.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: sentry.javascript.node/11.11.0\r\nContent-Length: ${body.bytes.length}\r\n\r\n`,
  )
  return { bytes: Buffer.concat([head, body.bytes]), offsets: body.offsets.map(offset => offset + head.length) }
}

function isComplete(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(answer)
  return length ? answer.length >= end + 4 + Number(length[1]) : answer.endsWith('0\r\n\r\n')
}
