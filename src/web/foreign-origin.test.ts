import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { refuseForeignOrigin } from './foreign-origin.ts'

function statusOf(headers: IncomingMessage['headers'], { method = 'POST', url = '/login' } = {}): number | null {
  let status: number | null = null
  const response = { writeHead: (code: number) => (status = code), end: () => undefined }
  const request = { method, url, headers: { host: 'hydrant.example', ...headers } }
  const isRefused = refuseForeignOrigin(request as IncomingMessage, response as unknown as ServerResponse)
  return isRefused ? status : null
}
const behind = { host: '127.0.0.1:8000', 'x-forwarded-host': 'hydrant.example, inner' }

it.each([
  ['the page itself', {}, { origin: 'https://hydrant.example' }, null],
  ['a browser that names none', {}, {}, null],
  ['the page behind a proxy', {}, { ...behind, origin: 'https://hydrant.example' }, null],
  ['another site', {}, { origin: 'https://evil.example' }, 403],
  ['another port', {}, { origin: 'https://hydrant.example:8443' }, 403],
  ['another site behind a proxy', {}, { ...behind, origin: 'http://127.0.0.1:8000' }, 403],
  ['a sandbox', {}, { origin: 'null' }, 403],
  ['an origin that is not a URL', {}, { origin: 'hydrant.example' }, 403],
  ['a reader elsewhere', { method: 'GET' }, { origin: 'https://evil.example' }, null],
  ['a tool elsewhere', { url: '/api/0/organizations' }, { origin: 'https://evil.example' }, null],
] as const)('a request of %s', (_from, request, headers, status) => {
  expect(statusOf(headers, request)).toBe(status)
})
