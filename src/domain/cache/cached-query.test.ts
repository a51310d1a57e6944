import { expect, test } from 'vitest'
import { readSignal, withReadSignal } from '#lib/read-signal.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { viewAs } from '../../../test/view-as.ts'
import { cacheQuery } from './cached-query.ts'

const at = 1_000_000

/** A query that ends on demand. */
function open() {
  const telemetry = {} as Telemetry
  const loads: { signal: AbortSignal | undefined; finish(value: string): void }[] = []
  const load = () =>
    new Promise<string>((resolve, reject) => {
      const signal = readSignal()
      signal?.addEventListener('abort', () => reject(signal.reason))
      loads.push({ signal, finish: resolve })
    })
  const ask = (signal: AbortSignal | undefined, now = at) =>
    withReadSignal(signal, () =>
      cacheQuery(viewAs({ telemetry }, { projects: [1], now }), { name: ['k'], ttlMs: 1_000 }, load),
    )
  return { ask, loads }
}

test('a query continues while it has a waiter, even if the first one has left', async () => {
  const { ask, loads } = open()
  const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()]
  const answers = [first, second, third].map(({ signal }) => ask(signal))
  first.abort(new Error('gone'))
  third.abort(new Error('gone'))
  expect(loads.map(({ signal }) => signal?.aborted)).toEqual([false])
  loads[0]?.finish('rows')
  expect(await Promise.all(answers)).toEqual(['rows', 'rows', 'rows'])
  second.abort(new Error('gone'))
  expect(await ask(undefined)).toBe('rows')
  expect(loads).toHaveLength(1)
})

test('a query is cancelled when its last waiter leaves, and the next request starts a new one', async () => {
  const { ask, loads } = open()
  const [first, second] = [new AbortController(), new AbortController()]
  const answers = Promise.allSettled([ask(first.signal), ask(second.signal)])
  first.abort(new Error('gone'))
  second.abort(new Error('gone'))
  const next = ask(new AbortController().signal)
  expect(loads.map(({ signal }) => signal?.aborted)).toEqual([true, false])
  expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  loads[1]?.finish('rows')
  expect(await next).toBe('rows')
  expect(await ask(undefined)).toBe('rows')
  expect(loads).toHaveLength(2)
})

test('a job keeps a query alive, and a background refresh cannot be cancelled', async () => {
  const { ask, loads } = open()
  const page = new AbortController()
  const answers = [ask(page.signal), ask(undefined)]
  page.abort(new Error('gone'))
  expect(loads.map(({ signal }) => signal?.aborted)).toEqual([false])
  loads[0]?.finish('old')
  await Promise.all(answers)
  const later = new AbortController()
  expect(await ask(later.signal, at + 1_500)).toBe('old')
  later.abort(new Error('gone'))
  expect(loads.map(({ signal }) => signal?.aborted)).toEqual([false, undefined])
  loads[1]?.finish('new')
  await expect.poll(() => ask(undefined, at + 1_600)).toBe('new')
})
