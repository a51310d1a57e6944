import { expect, test } from 'vitest'
import { withReadSignal } from '#lib/read-signal.ts'
import { createPageGate } from './unfinished-pages.ts'

/** Pages whose rendering ends on demand. */
function open() {
  const enter = createPageGate()
  const started: string[] = []
  const finish: (() => void)[] = []
  const settle = () => new Promise(resolve => setImmediate(resolve))
  return {
    started,
    settle,
    ask(client: string) {
      const browser = new AbortController()
      const done = withReadSignal(browser.signal, () =>
        enter(client, () => {
          started.push(client)
          return new Promise<void>(resolve => finish.push(resolve))
        }),
      ).catch(error => String(error))
      return { leave: () => browser.abort(new Error('gone')), done }
    },
    async finishOne() {
      finish.shift()?.()
      await settle()
    },
  }
}

test('pages that a client waits for are not limited', async () => {
  const { ask, started, settle } = open()
  for (let n = 0; n < 20; n++) ask('a')
  await settle()
  expect(started).toHaveLength(20)
})

test('a client that leaves too many pages unfinished waits for them, and others do not', async () => {
  const { ask, started, settle, finishOne } = open()
  const left = Array.from({ length: 6 }, () => ask('a'))
  await settle()
  for (const { leave } of left) leave()
  expect(started).toEqual(['a', 'a', 'a', 'a', 'a', 'a'])
  const [next, other] = [ask('a'), ask('b')]
  await settle()
  expect(started.slice(6)).toEqual(['b'])
  await finishOne()
  expect(started.slice(6)).toEqual(['b', 'a'])
  for (let n = 0; n < 7; n++) await finishOne()
  await Promise.all([next.done, other.done])
})

test('a page whose browser leaves while it waits is never rendered', async () => {
  const { ask, started, settle, finishOne } = open()
  const left = Array.from({ length: 6 }, () => ask('a'))
  await settle()
  for (const { leave } of left) leave()
  const waiting = ask('a')
  await settle()
  waiting.leave()
  expect(await waiting.done).toBe('Error: gone')
  for (let n = 0; n < 6; n++) await finishOne()
  expect(started).toHaveLength(6)
  ask('a')
  await settle()
  expect(started).toHaveLength(7)
})
