import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { url: string; id: string; body: string; headers: Record<string, string> }
export type Answer = { status: number; headers?: Record<string, string>; body?: string }
export type Receiver = {
  url: string
  received: Received[]
  /** Answers to the next requests, in order. If empty, the answer is 200. */
  answers: Answer[]
  /** The answer to every request. */
  always: Answer | null
  /** Returns the answer to one request, or null to use the answers above. */
  answerOf: ((request: Received) => Answer | null) | null
  stop(): Promise<void>
}

/** An HTTP server that keeps what channels send to it. */
export async function startReceiver(): Promise<Receiver> {
  const receiver = {
    received: [] as Received[],
    answers: [] as Answer[],
    always: null as Answer | null,
    answerOf: null as Receiver['answerOf'],
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const body = Buffer.concat(chunks).toString()
    const received = { url: request.url ?? '', id: headers['webhook-id'] ?? '', body, headers }
    receiver.received.push(received)
    const answer = receiver.answerOf?.(received) ??
      receiver.always ??
      receiver.answers.shift() ?? { status: 200, body: 'ok' }
    response.writeHead(answer.status, answer.headers).end(answer.body ?? '')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections()
      return new Promise<void>(resolve => server.close(() => resolve()))
    },
  })
}
