import { expect, test } from 'vitest'
import { z } from 'zod'
import { noteTooBusy, withRequest } from '#lib/read-signal.ts'
import { createTurns, isTooBusy } from '#lib/turns.ts'
import type { Query } from './query.ts'
import { takeTurns } from './take-turns.ts'
import type { Telemetry } from './telemetry.ts'

const limits = {
  running: { total: 2, perOrganization: 1, perMember: 1 },
  waiting: { perOrganization: 2, perMember: 2 },
}

/** A store whose reads end on demand. */
function open() {
  const sent: { query: Query<unknown>; end(error?: Error): void }[] = []
  const read = (query: Query<never>) =>
    new Promise<never[]>((resolve, reject) => {
      sent.push({ query, end: error => (error ? reject(error) : resolve([])) })
    })
  const turns = createTurns(limits)
  const telemetry = takeTurns({ query: read, columns: read as never } as Partial<Telemetry> as Telemetry, turns)
  const ask = (organization: number, signal?: AbortSignal) =>
    telemetry.query({ query: '', schema: z.never(), asker: { organization, member: 'm' }, signal })
  return { sent, turns, telemetry, ask }
}
const settle = () => new Promise(resolve => setImmediate(resolve))

test('a slot is free again however a read ends, and another organization does not wait for the first', async () => {
  const { sent, turns, ask } = open()
  const reads = Promise.allSettled([ask(1), ask(1), ask(2)])
  await settle()
  expect(sent.map(({ query }) => query.asker?.organization)).toEqual([1, 2])
  sent[0]?.end(new Error('the engine failed'))
  await settle()
  expect(sent).toHaveLength(3)
  for (const { end } of sent) end()
  expect((await reads).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(turns.counts()).toMatchObject({ running: 0, waiting: 0 })
})

test('a cancelled read fails with the reason of its signal, not with the error of the store', async () => {
  const { sent, turns, ask } = open()
  const gone = new AbortController()
  const [running, waiting] = [ask(1, gone.signal), ask(1, gone.signal)]
  const outcomes = Promise.allSettled([running, waiting])
  await settle()
  gone.abort(new Error('The request has ended'))
  expect(turns.counts()).toMatchObject({ running: 1, waiting: 0 })
  sent[0]?.end(new Error('socket hang up'))
  expect((await outcomes).map(outcome => outcome.status === 'rejected' && String(outcome.reason))).toEqual([
    'Error: The request has ended',
    'Error: The request has ended',
  ])
  expect(sent).toHaveLength(1)
  expect(turns.counts()).toEqual({ running: 0, waiting: 0, left: 2, refused: 0 })
})

test('above the limit a read is refused, and its request is marked as too busy', async () => {
  const { ask } = open()
  const request = { gone: new AbortController().signal, isTooBusy: false }
  const reads = withRequest(request, true, () => [1, 1, 1].map(organization => ask(organization).catch(isTooBusy)))
  await settle()
  expect(request.isTooBusy).toBe(false)
  const refused = await withRequest(request, true, () => ask(1).catch(isTooBusy))
  expect([refused, request.isTooBusy]).toEqual([true, true])
  expect(reads).toHaveLength(3)
  expect(noteTooBusy).not.toThrow()
})
