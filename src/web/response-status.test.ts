import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { setResponseStatus, withResponseStatus } from './response-status.ts'

test('each response has the status that its page has set, even for concurrent requests', async () => {
  const server = createServer((request, response) => {
    void withResponseStatus(
      response,
      () => false,
      async () => {
        await wait(5)
        if (request.url === '/401') setResponseStatus(401)
        if (request.url === '/404') setResponseStatus(404)
        await wait(5)
        if (request.url === '/404') response.writeHead(200, { 'content-type': 'text/plain' })
        response.end('drawn')
      },
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const statuses = await Promise.all(['/401', '/', '/404', '/401'].map(async path => (await fetch(base + path)).status))
  server.close()
  expect(statuses).toEqual([401, 200, 404, 401])
})
