import { expect, test } from 'vitest'
import { createLanes, type LaneName } from './lanes.ts'

const narrow = {
  running: { total: 4, perAddress: 3, perSession: 2 },
  waiting: { total: 3, perAddress: 2, perSession: 1 },
}
const noWait = { running: narrow.running, waiting: { total: 0, perAddress: 0, perSession: 0 } }
const limits = { page: narrow, upload: narrow, download: narrow, stream: noWait }
const stay = new AbortController().signal

function open() {
  const lanes = createLanes(limits)
  /** Takes a slot if one is free or there is room to wait. */
  const take = (lane: LaneName, address: string, session: string | null = null, signal = stay) => {
    const state = { is: 'waiting', release: () => {} }
    void lanes.take(lane, { address, session }, signal).then(taken => {
      state.is = taken.kind === 'full' ? `full: ${taken.of}` : taken.kind
      if (taken.kind === 'taken') state.release = taken.release
    })
    return state
  }
  return { lanes, take, settle: () => new Promise(resolve => setImmediate(resolve)) }
}

test('sessions, addresses and lanes have limits, for running and for waiting requests', async () => {
  const { take, settle } = open()
  const taken = [take('page', 'a', 's'), take('page', 'a', 's'), take('page', 'a', 's'), take('page', 'a', 's')]
  await settle()
  expect(taken.map(({ is }) => is)).toEqual(['taken', 'taken', 'waiting', 'full: session'])
  const others = [take('page', 'a', 't'), take('page', 'a', 'u'), take('page', 'a', 'v'), take('page', 'b')]
  await settle()
  expect(others.map(({ is }) => is)).toEqual(['taken', 'waiting', 'full: address', 'taken'])
  const last = [take('page', 'c'), take('page', 'c')]
  await settle()
  expect(last.map(({ is }) => is)).toEqual(['waiting', 'full: total'])
})

test('a full lane does not affect the others, and streams are refused instead of queued', async () => {
  const { take, settle } = open()
  const streams = ['s', 's', 's', 't', 'u'].map(session => take('stream', 'a', session))
  await settle()
  expect(streams.map(({ is }) => is)).toEqual(['taken', 'taken', 'full: session', 'taken', 'full: address'])
  const [page, download] = [take('page', 'a', 's'), take('download', 'a', 's')]
  await settle()
  expect([page.is, download.is]).toEqual(['taken', 'taken'])
})

test('a freed slot goes to the first waiter that is below its limits, and an aborted waiter leaves', async () => {
  const { take, settle } = open()
  const gone = new AbortController()
  const running = [take('page', 'a', 's'), take('page', 'a', 's'), take('page', 'b'), take('page', 'b')]
  const waiting = [take('page', 'a', 's', gone.signal), take('page', 'b')]
  await settle()
  running[2]?.release()
  running[2]?.release()
  await settle()
  expect(waiting.map(({ is }) => is)).toEqual(['waiting', 'taken'])
  gone.abort()
  await settle()
  expect(waiting[0]?.is).toBe('gone')
  running[0]?.release()
  const next = take('page', 'a', 's')
  await settle()
  expect(next.is).toBe('taken')
})

test('a response moves to another lane only if that has a free slot', () => {
  const { lanes } = open()
  const client = { address: 'a', session: 's' }
  const releases = [lanes.tryTake('download', client), lanes.tryTake('download', client)]
  expect(releases.map(release => release !== null)).toEqual([true, true])
  expect(lanes.tryTake('download', client)).toBeNull()
  releases[0]?.()
  expect(lanes.tryTake('download', client)).not.toBeNull()
})
