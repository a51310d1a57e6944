import { afterEach, expect, test, vi } from 'vitest'
import { explainRefusal } from './explain-refusal.ts'

afterEach(() => vi.unstubAllGlobals())

const answerWith = (answer: () => Response | Promise<Response>): void =>
  void vi.stubGlobal('fetch', async () => answer())
const ask = () => explainRefusal('/acme/logs/tail')

test('the reason and the time to retry come from the response', async () => {
  answerWith(() =>
    Response.json({ detail: 'You have too many live pages open.' }, { status: 429, headers: { 'retry-after': '10' } }),
  )
  expect(await ask()).toEqual({ reason: 'You have too many live pages open.', retryAfterMs: 10_000 })
  answerWith(
    () => new Response('Live tail is not available.\n', { status: 503, headers: { 'content-type': 'text/plain' } }),
  )
  expect(await ask()).toEqual({ reason: 'Live tail is not available.', retryAfterMs: null })
})

test('a response without a reason still gets a sentence', async () => {
  answerWith(() => new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } }))
  expect(await ask()).toEqual({ reason: 'The server answered with 502.', retryAfterMs: null })
  answerWith(() => new Response('<html>', { status: 401, headers: { 'content-type': 'text/html' } }))
  expect((await ask())?.reason).toBe('You are signed out. Reload the page to sign in.')
  answerWith(() => new Response('{', { status: 503, headers: { 'content-type': 'application/json' } }))
  expect((await ask())?.reason).toBe('The server answered with 503.')
  answerWith(() => Promise.reject(new TypeError('Failed to fetch')))
  expect((await ask())?.reason).toBe('Couldn’t reach Hydrant.')
})

test('a stream that opens after all is not a refusal', async () => {
  answerWith(() => new Response('data: 1\n\n', { headers: { 'content-type': 'text/event-stream' } }))
  expect(await ask()).toBeNull()
})
