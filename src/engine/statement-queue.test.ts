import { expect, test } from 'vitest'
import type { EngineDriver, Lane, Statement } from './engine-driver.ts'
import { planEngineMemory } from './engine-driver.ts'
import { createStatementQueue } from './statement-queue.ts'

const statement = (lane: Lane, sql: string): Statement => ({
  lane,
  parameters: {},
  prelude: '',
  sql,
  body: null,
  rowsFile: null,
  defaultFormat: 'TSV',
})
const never = new AbortController().signal

/** A driver whose statements end on demand, to observe order and overlap. */
function driverWith(slots: EngineDriver['slots']) {
  const started: string[] = []
  const finishers: (() => void)[] = []
  const driver: EngineDriver = {
    build: 'wasm',
    memory: planEngineMemory(1024 ** 3, 'wasm'),
    version: '0',
    slots,
    run: ({ sql }) =>
      new Promise(resolve => {
        started.push(sql)
        finishers.push(() =>
          resolve({ kind: 'done', bytes: new Uint8Array(), readRows: 0, readBytes: 0, writtenRows: 0, elapsedMs: 0 }),
        )
      }),
    close: async () => {},
  }
  const finishOne = async () => {
    finishers.shift()?.()
    await new Promise(resolve => setImmediate(resolve))
  }
  return { driver, started, finishOne }
}

test('an insert does not wait behind all earlier reads', async () => {
  const { driver, started, finishOne } = driverWith({ read: 1, write: 1, total: 1 })
  const queue = createStatementQueue(driver, { onStuck: () => {} })
  for (const sql of ['r1', 'r2', 'r3']) void queue.run(statement('read', sql), never)
  void queue.run(statement('write', 'w1'), never)
  for (let i = 0; i < 4; i++) await finishOne()
  expect(started).toEqual(['r1', 'w1', 'r2', 'r3'])
})

test('reads run concurrently with a write while there are slots', () => {
  const { driver, started } = driverWith({ read: 3, write: 1, total: 4 })
  const queue = createStatementQueue(driver, { onStuck: () => {} })
  for (const sql of ['w1', 'w2']) void queue.run(statement('write', sql), never)
  for (const sql of ['r1', 'r2', 'r3', 'r4']) void queue.run(statement('read', sql), never)
  expect(started).toEqual(['w1', 'r1', 'r2', 'r3'])
})

test('a statement whose client has disconnected is not started', async () => {
  const { driver, started, finishOne } = driverWith({ read: 1, write: 1, total: 1 })
  const queue = createStatementQueue(driver, { onStuck: () => {} })
  const client = new AbortController()
  void queue.run(statement('read', 'r1'), never)
  const abandoned = expect(queue.run(statement('read', 'r2'), client.signal)).rejects.toThrow('gone')
  client.abort(new Error('gone'))
  await finishOne()
  await abandoned
  await queue.idle()
  expect(started).toEqual(['r1'])
})

test('a waiting statement leaves the queue immediately when its client disconnects, and the ones behind it move up', async () => {
  const { driver, started, finishOne } = driverWith({ read: 1, write: 1, total: 1 })
  const queue = createStatementQueue(driver, { onStuck: () => {} })
  const client = new AbortController()
  void queue.run(statement('read', 'r1'), never)
  const abandoned = Promise.allSettled(['r2', 'r3'].map(sql => queue.run(statement('read', sql), client.signal)))
  void queue.run(statement('read', 'r4'), never)
  expect(queue.counts()).toMatchObject({ readsRunning: 1, readsWaiting: 3, cancelled: 0 })
  client.abort(new Error('gone'))
  expect(queue.counts()).toMatchObject({ readsRunning: 1, readsWaiting: 1, cancelled: 2 })
  expect((await abandoned).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await finishOne()
  expect(started).toEqual(['r1', 'r4'])
  await finishOne()
  await queue.idle()
  expect(queue.counts()).toMatchObject({ readsRunning: 0, readsWaiting: 0 })
})

test('a statement that runs is cancelled by the driver, and its slot is free however it ends', async () => {
  const { driver } = driverWith({ read: 1, write: 1, total: 1 })
  const cancellable: EngineDriver = {
    ...driver,
    run: (_, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('cancelled')))
      }),
  }
  const queue = createStatementQueue(cancellable, { onStuck: () => {} })
  for (let round = 0; round < 3; round++) {
    const client = new AbortController()
    const running = expect(queue.run(statement('read', 'r'), client.signal)).rejects.toThrow('cancelled')
    expect(queue.counts().readsRunning).toBe(1)
    client.abort()
    await running
  }
  expect(queue.counts()).toMatchObject({ readsRunning: 0, readsWaiting: 0, cancelled: 3 })
})

test('a statement that outlives its client by the grace period is reported as stuck', async () => {
  const { driver, finishOne } = driverWith({ read: 2, write: 1, total: 2 })
  const stuck: string[] = []
  const queue = createStatementQueue(driver, { onStuck: ({ sql }) => stuck.push(sql), graceMs: 20 })
  const client = new AbortController()
  for (const sql of ['ends', 'hangs']) void queue.run(statement('read', sql), client.signal)
  client.abort(new Error('gone'))
  await finishOne()
  await expect.poll(() => stuck).toEqual(['hangs'])
})
