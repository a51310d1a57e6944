import { expect, it } from 'vitest'
import { bareStacksOf } from './bare-stacks.ts'

const stack = (name: string) => ({ frames: [{ function: name }] })
const namesOf = (event: object) =>
  bareStacksOf({ ...event }).map(({ thread, stack: { frames } }) => [thread?.name ?? null, frames])

it('lists the stack of the event, then those of its threads, the crashed one first', () => {
  const threads = [
    { id: 1, name: 'idle' },
    { id: 2, name: 'worker', stacktrace: stack('wait') },
    { id: 3, name: 'main', current: true, stacktrace: stack('checkout') },
    { id: 4, name: 'render', crashed: true, stacktrace: stack('draw') },
  ]
  const names = [null, 'render', 'main', 'worker']
  expect(namesOf({ stacktrace: stack('pay'), threads: { values: threads } }).map(([name]) => name)).toEqual(names)
  expect(namesOf({ stacktrace: stack('pay'), threads }).map(([name]) => name)).toEqual(names)
})

it.each([[{}], [{ stacktrace: 'x' }], [{ stacktrace: { frames: [null] } }], [{ threads: [7, { stacktrace: [] }] }]])(
  'finds none in %j',
  event => {
    expect(bareStacksOf({ ...event })).toEqual([])
  },
)
