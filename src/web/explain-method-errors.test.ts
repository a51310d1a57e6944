import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { explainMethodErrors } from './explain-method-errors.ts'

test('a method that an API route lacks is refused in JSON, with those that it has; nothing else is touched', async () => {
  const server = createServer((request, response) => {
    explainMethodErrors(request, response, async path => (path === '/api/unknown' ? null : 'GET, HEAD, OPTIONS'))
    if (request.method === 'POST') response.statusCode = 405
    // As compression does it: the head first, then the end.
    if (request.url === '/api/headed') response.writeHead(response.statusCode)
    response.end(request.method === 'POST' ? undefined : 'fine')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = async (method: string, path: string) => {
    const answer = await fetch(base + path, { method })
    return [answer.status, answer.headers.get('allow'), await answer.text()]
  }
  const detail = '{"detail":"The method POST is not allowed here."}'
  expect(await ask('POST', '/api/plain')).toEqual([405, 'GET, HEAD, OPTIONS', detail])
  expect(await ask('POST', '/api/headed')).toEqual([405, 'GET, HEAD, OPTIONS', detail])
  expect(await ask('POST', '/api/unknown')).toEqual([405, 'OPTIONS', detail])
  expect(await ask('GET', '/api/headed')).toEqual([200, null, 'fine'])
  expect(await ask('POST', '/acme')).toEqual([405, null, ''])
  server.close()
})
