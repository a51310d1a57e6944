import { expect, test } from 'vitest'
import { type Asker, createTurns, isTooBusy, type TurnLimits } from './turns.ts'

const limits: TurnLimits = {
  running: { total: 3, perOrganization: 2, perMember: 1 },
  waiting: { perOrganization: 6, perMember: 4 },
}
const ada: Asker = { organization: 1, member: 'ada' }
const ben: Asker = { organization: 1, member: 'ben' }
const eve: Asker = { organization: 2, member: 'eve' }

/** Takes turns whose work ends on demand, and records the order. */
function play(given: TurnLimits = limits) {
  const turns = createTurns(given)
  const served: string[] = []
  const releases: (() => void)[] = []
  const failures: unknown[] = []
  const settle = () => new Promise(resolve => setImmediate(resolve))
  return {
    turns,
    served,
    failures,
    settle,
    ask(name: string, asker: Asker, signal?: AbortSignal) {
      void turns.take(asker, signal).then(
        release => {
          served.push(name)
          releases.push(release)
        },
        error => failures.push(error),
      )
    },
    async endOne() {
      await settle()
      releases.shift()?.()
      await settle()
    },
  }
}

test('members, organizations and the total stay within their limits', async () => {
  const { ask, served, settle, turns } = play()
  for (const name of ['a1', 'a2']) ask(name, ada)
  for (const name of ['b1', 'b2']) ask(name, ben)
  ask('c1', { organization: 1, member: 'cleo' })
  for (const name of ['e1', 'e2']) ask(name, eve)
  ask('f1', { organization: 3, member: 'finn' })
  await settle()
  expect(served).toEqual(['a1', 'b1', 'e1'])
  expect(turns.counts()).toEqual({ running: 3, waiting: 5, left: 0, refused: 0 })
})

test('organizations take turns, and members within an organization', async () => {
  const { ask, served, endOne } = play({
    running: { total: 1, perOrganization: 1, perMember: 1 },
    waiting: { perOrganization: 100, perMember: 100 },
  })
  for (let n = 1; n <= 5; n++) ask(`a${n}`, ada)
  for (let n = 1; n <= 2; n++) ask(`b${n}`, ben)
  for (let n = 1; n <= 3; n++) ask(`e${n}`, eve)
  for (let n = 0; n < 10; n++) await endOne()
  expect(served).toEqual(['a1', 'e1', 'b1', 'e2', 'a2', 'e3', 'b2', 'a3', 'a4', 'a5'])
})

test('a newcomer gets the next turn after a flood', async () => {
  const { ask, served, endOne } = play({
    running: { total: 2, perOrganization: 2, perMember: 2 },
    waiting: { perOrganization: 1_000, perMember: 1_000 },
  })
  for (let n = 0; n < 500; n++) ask('flood', ada)
  ask('page', eve)
  await endOne()
  expect(served).toEqual(['flood', 'flood', 'page'])
})

test('up to the limit callers wait, the next one is refused, and freed room is used again', async () => {
  const { ask, failures, settle, endOne, turns } = play()
  for (let n = 0; n < 1 + limits.waiting.perMember; n++) ask('a', ada)
  await settle()
  expect(failures).toEqual([])
  ask('one too many', ada)
  await settle()
  expect(failures.map(isTooBusy)).toEqual([true])
  expect(turns.counts()).toMatchObject({ running: 1, waiting: limits.waiting.perMember, refused: 1 })
  await endOne()
  ask('again', ada)
  await settle()
  expect(failures).toHaveLength(1)
})

test('an organization has its own limit for waiting', async () => {
  const { ask, failures, settle } = play()
  for (let n = 0; n < 4; n++) for (const asker of [ada, ben]) ask('x', asker)
  await settle()
  expect(failures).toEqual([])
  ask('one too many', { organization: 1, member: 'cleo' })
  ask('of another organization', eve)
  await settle()
  expect(failures).toHaveLength(1)
})

test('an aborted waiter leaves the queue immediately and is never served', async () => {
  const { ask, served, failures, settle, endOne, turns } = play()
  const gone = new AbortController()
  ask('a1', ada)
  for (let n = 0; n < 3; n++) ask('left', ada, gone.signal)
  ask('a2', ada)
  await settle()
  gone.abort(new Error('gone'))
  await settle()
  expect(failures.map(String)).toEqual(['Error: gone', 'Error: gone', 'Error: gone'])
  expect(turns.counts()).toEqual({ running: 1, waiting: 1, left: 3, refused: 0 })
  await endOne()
  await endOne()
  expect(served).toEqual(['a1', 'a2'])
  expect(turns.counts()).toEqual({ running: 0, waiting: 0, left: 3, refused: 0 })
})

test('an aborted signal is not served, and a slot is freed only once', async () => {
  const turns = createTurns(limits)
  await expect(turns.take(ada, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  const release = await turns.take(ada)
  release()
  release()
  expect(turns.counts()).toMatchObject({ running: 0, waiting: 0 })
})
