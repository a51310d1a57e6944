import { expect, test } from 'vitest'
import { readProxyEmail } from './proxy-auth.ts'

const config = { proxyAuthHeader: 'remote-email', trustedProxies: ['10.0.0.0/8'] }
const read = (given: Record<string, string>, use: Parameters<typeof readProxyEmail>[1] = config) =>
  readProxyEmail(new Headers(given), use)

test('the header counts if a trusted proxy is the direct peer', () => {
  expect(read({ 'remote-email': 'Ada@Example.com', 'x-forwarded-for': '203.0.113.7, 10.0.0.2' })).toBe(
    'ada@example.com',
  )
})

test.each([
  ['from another peer', { 'remote-email': 'ada@example.com', 'x-forwarded-for': '10.0.0.2, 203.0.113.7' }],
  ['without a peer', { 'remote-email': 'ada@example.com' }],
  ['without the header', { 'x-forwarded-for': '10.0.0.2' }],
  ['sent twice', { 'remote-email': 'eve@example.com, ada@example.com', 'x-forwarded-for': '10.0.0.2' }],
  ['without an address', { 'remote-email': 'ada', 'x-forwarded-for': '10.0.0.2' }],
])('%s it does not', (_, given) => {
  expect(read(given)).toBeNull()
})

test('it is off by default', () => {
  const given = { 'remote-email': 'ada@example.com', 'x-forwarded-for': '10.0.0.2' }
  expect(read(given, { ...config, proxyAuthHeader: undefined })).toBeNull()
})
