import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contentSecurityPolicy, setSecurityHeaders } from './security-headers.ts'

const own = "default-src 'none'; sandbox"
const server = createServer((request, response) => {
  setSecurityHeaders(request, response, { isHttps: false, contentSecurityPolicy })
  if (request.url === '/chosen') response.setHeader('Content-Security-Policy', own)
  if (request.url === '/in-head') return void response.writeHead(200, { 'Content-Security-Policy': own }).end()
  if (request.url === '/flushed') response.flushHeaders()
  response.end('x')
})
let origin: string
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const policyOf = async (path: string) => (await fetch(origin + path)).headers.get('content-security-policy')

test('every page response has the page policy with a new nonce', async () => {
  const policies = [await policyOf('/'), await policyOf('/'), await policyOf('/flushed')]
  for (const policy of policies)
    expect(policy).toMatch(/^default-src 'self'; script-src 'self' 'nonce-[\w+/=]+' 'strict-dynamic'/)
  expect(new Set(policies).size).toBe(3)
})

test('a download keeps the policy that it has chosen', async () => {
  expect(await policyOf('/chosen')).toBe(own)
  expect(await policyOf('/in-head')).toBe(own)
})
