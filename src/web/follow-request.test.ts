import { createServer, get, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { noteTooBusy, readSignal } from '#lib/read-signal.ts'
import { followRequest } from './follow-request.ts'

let server: Server

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('reads end when the browser disconnects', async () => {
  const signals: AbortSignal[] = []
  const url = await serve((_, response) =>
    followRequest(response, true, async () => {
      await new Promise(resolve => setImmediate(resolve))
      const signal = readSignal()
      if (signal) signals.push(signal)
    }),
  )
  const request = get(url).on('error', () => undefined)
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([false])
  request.destroy()
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true])
})

test('reads end when the response is complete, except those of a form', async () => {
  const seen: (AbortSignal | undefined)[] = []
  const url = await serve((request, response) =>
    followRequest(response, request.method === 'GET', () => {
      seen.push(readSignal())
      response.end('drawn')
    }),
  )
  await (await fetch(url)).text()
  await (await fetch(url, { method: 'POST' })).text()
  await expect.poll(() => seen.map(signal => signal?.aborted)).toEqual([true, undefined])
})

test('a response that failed because of a refused read is a 503 with Retry-After', async () => {
  const url = await serve((request, response) =>
    followRequest(response, true, async () => {
      if (request.url !== '/broken') noteTooBusy()
      await new Promise(resolve => setImmediate(resolve))
      response.writeHead(request.url === '/panel' ? 200 : 500).end()
    }),
  )
  const ask = async (path: string) => {
    const { status, headers } = await fetch(url + path)
    return [status, headers.get('retry-after')]
  }
  expect([await ask('/lines'), await ask('/panel'), await ask('/broken')]).toEqual([
    [503, '5'],
    [200, null],
    [500, null],
  ])
})
