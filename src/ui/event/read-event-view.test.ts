import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readEventView } from './read-event-view.ts'

/** The event item of a recorded envelope: header, item header, payload. */
function recordedEvent(path: string): string {
  return readFileSync(new URL(`../../../test/fixtures/captures/${path}`, import.meta.url), 'utf8').split('\n')[2] ?? ''
}

test('a recorded event shows its exception with the newest call first', () => {
  const view = readEventView(recordedEvent('cli-send-event/001.body'))
  expect(view.json.length).toBeGreaterThan(100)
  const stored = {
    exception: {
      values: [
        { type: 'Cause', value: 'c' },
        {
          type: 'Outer',
          value: 'o',
          stacktrace: {
            frames: [
              { function: 'main' },
              { function: 'fails', lineno: 3, context_line: 'x()', pre_context: ['a', 'b'] },
            ],
          },
        },
      ],
    },
  }
  const chain = readEventView(JSON.stringify(stored)).exceptions
  expect(chain.map(each => each.type)).toEqual(['Outer', 'Cause'])
  expect(chain[0]?.frames.map(frame => frame.name)).toEqual(['fails', 'main'])
  expect(chain[0]?.frames[0]?.source.map(line => line.number)).toEqual([1, 2, 3])
})

test('an event of another shape than expected is drawn without what does not fit', () => {
  for (const data of [
    '',
    'null',
    '[]',
    '{"exception":7}',
    '{"exception":{"values":[1,{"stacktrace":{"frames":"x"}}]}}',
    '{"_hydrant":{"notes":[null,{}]}}',
  ]) {
    expect(() => readEventView(data)).not.toThrow()
  }
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
  expect(readEventView(deep).json.length).toBeGreaterThan(50_000)
})

test('what was removed before storing is told', () => {
  const data = JSON.stringify({ _hydrant: { notes: [{ path: 'request.cookies', kind: 'scrubbed' }], dropped: 2 } })
  expect(readEventView(data)).toMatchObject({
    notes: [{ path: 'request.cookies', kind: 'scrubbed', detail: '' }],
    droppedNotes: 2,
  })
})

test('a stack of thousands of frames shows its newest, and says how many more there are', () => {
  const frames = Array.from({ length: 5_000 }, (_, index) => ({ function: `f${index}` }))
  const [exception] = readEventView(
    JSON.stringify({ exception: { values: [{ type: 'RangeError', stacktrace: { frames } }] } }),
  ).exceptions
  expect(exception?.frames.length).toBe(200)
  expect(exception?.frames[0]?.name).toBe('f4999')
  expect(exception?.hiddenFrames).toBe(4_800)
})
