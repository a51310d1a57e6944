import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { explainMethodErrors, refuseInvalidEncoding, withoutLastSlash } from './sentry-addresses.ts'

test('an API route answers an unsupported method and an invalid path with JSON; other responses are unchanged', async () => {
  const server = createServer((request, response) => {
    if (refuseInvalidEncoding(request, response)) return
    explainMethodErrors(request, response, async path => (path === '/api/unknown' ? null : 'GET, HEAD, OPTIONS'))
    if (request.method === 'POST') response.statusCode = 405
    if (request.url === '/api/named') response.setHeader('allow', 'GET, PUT')
    // Compression writes the head first, then the end.
    if (request.url === '/api/headed') response.writeHead(response.statusCode)
    response.end(request.method === 'POST' ? undefined : 'fine')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = async (method: string, path: string) => {
    const response = await fetch(base + path, { method })
    return [response.status, response.headers.get('allow'), await response.text()]
  }
  const detail = '{"detail":"The method POST is not allowed here."}'
  expect(await send('POST', '/api/plain')).toEqual([405, 'GET, HEAD, OPTIONS', detail])
  expect(await send('POST', '/api/headed')).toEqual([405, 'GET, HEAD, OPTIONS', detail])
  expect(await send('POST', '/api/named')).toEqual([405, 'GET, PUT', detail])
  expect(await send('POST', '/api/unknown')).toEqual([405, 'OPTIONS', detail])
  const malformed = '{"detail":"The path is not valid percent-encoding."}'
  for (const path of ['/api/%', '/api/0/%zz', '/api/0/a%ff/b?x=1', '/%', '/%ff', '/acme/%ff', '/acme/%?x=1'])
    expect(await send('GET', path)).toEqual([400, null, malformed])
  for (const path of ['/api/headed', '/api/0/%C3%A4%2F', '/api/0?x=%', '/acme/%C3%A4', '/acme?q=%'])
    expect(await send('GET', path)).toEqual([200, null, 'fine'])
  expect(await send('POST', '/acme')).toEqual([405, null, ''])
  server.close()
})

test.each([
  ['/api/0/', '/api/0'],
  ['/api/0/projects/', '/api/0/projects'],
  ['/api/0/projects//?a=/&b=c/', '/api/0/projects?a=/&b=c/'],
  ['/api/0/projects', '/api/0/projects'],
  ['/api/0//projects?', '/api/0//projects?'],
])('%s becomes %s', (url, expected) => {
  expect(withoutLastSlash(url)).toBe(expected)
})
