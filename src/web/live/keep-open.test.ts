import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepOpen } from './keep-open.ts'

class FakeSource extends EventTarget {
  static readonly CLOSED = 2
  static opened: FakeSource[] = []
  readyState = 0
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
    FakeSource.opened.push(this)
  }
  answer(): void {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }
  fail(readyState: number): void {
    this.readyState = readyState
    this.dispatchEvent(new Event('error'))
  }
  close(): void {
    this.readyState = FakeSource.CLOSED
  }
}
const urls = () => FakeSource.opened.map(({ url }) => url)
const newest = () => FakeSource.opened.at(-1) as FakeSource

let page: EventTarget
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', FakeSource)
  page = new EventTarget()
  for (const name of ['addEventListener', 'removeEventListener'] as const) vi.stubGlobal(name, page[name].bind(page))
  FakeSource.opened = []
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('what the browser gave up on is opened again with its newest address, after longer and longer pauses', () => {
  let at = 1
  const close = keepOpen(
    () => `/tail?since=${at++}`,
    () => undefined,
  )
  for (const waitMs of [1_000, 2_000, 4_000]) {
    newest().fail(FakeSource.CLOSED)
    vi.advanceTimersByTime(waitMs - 1)
    const before = urls().length
    vi.advanceTimersByTime(1)
    expect(urls()).toHaveLength(before + 1)
  }
  newest().answer()
  newest().fail(FakeSource.CLOSED)
  vi.advanceTimersByTime(1_000)
  expect(urls()).toEqual(['/tail?since=1', '/tail?since=2', '/tail?since=3', '/tail?since=4', '/tail?since=5'])
  close()
})

test('it reopens immediately when the browser comes back online, unless it was closed', () => {
  const close = keepOpen(
    () => '/live',
    () => undefined,
  )
  page.dispatchEvent(new Event('online'))
  expect(urls()).toHaveLength(1)
  newest().fail(FakeSource.CLOSED)
  page.dispatchEvent(new Event('online'))
  expect(urls()).toHaveLength(2)
  // The pause that was cut short opens nothing more.
  vi.advanceTimersByTime(60_000)
  expect(urls()).toHaveLength(2)
  close()
  page.dispatchEvent(new Event('online'))
  expect(urls()).toHaveLength(2)
})

test('while the browser comes back itself, and once closed, nothing is opened', () => {
  const close = keepOpen(
    () => '/live',
    () => undefined,
  )
  newest().fail(0)
  vi.advanceTimersByTime(100_000)
  expect(urls()).toHaveLength(1)
  newest().fail(FakeSource.CLOSED)
  close()
  vi.advanceTimersByTime(100_000)
  expect(urls()).toHaveLength(1)
})

test('a refused stream reports the reason and follows Retry-After', async () => {
  const retryAfter = '10'
  vi.stubGlobal('fetch', async () =>
    Response.json({ detail: 'Too many.' }, { status: 429, headers: { 'retry-after': retryAfter } }),
  )
  const reasons: string[] = []
  const close = keepOpen(
    () => '/tail',
    () => undefined,
    reason => reasons.push(reason),
  )
  newest().fail(FakeSource.CLOSED)
  await vi.advanceTimersByTimeAsync(9_999)
  expect([reasons, urls().length]).toEqual([['Too many.'], 1])
  await vi.advanceTimersByTimeAsync(1)
  expect(urls()).toHaveLength(2)
  newest().fail(FakeSource.CLOSED)
  close()
  await vi.advanceTimersByTimeAsync(100_000)
  expect([reasons, urls().length]).toEqual([['Too many.'], 2])
})
