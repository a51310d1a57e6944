import { expect, test } from 'vitest'
import { streamParts } from './stream-parts.ts'

const route = '/[org]/logs/export'

async function* count(to: number, made: number[] = [], error?: Error): AsyncGenerator<string, void> {
  for (let index = 0; index < to; index++) {
    made.push(index)
    yield `${index}\n`
  }
  if (error) throw error
}

test('a body has all parts in order', async () => {
  expect(await new Response(streamParts(count(3), { route })).text()).toBe('0\n1\n2\n')
  expect(await new Response(streamParts(count(0), { route })).text()).toBe('')
})

test('a part is made when the client takes one, however slow it is', async () => {
  const made: number[] = []
  const reader = streamParts(count(1_000, made), { route }).getReader()
  for (let read = 1; read <= 5; read++) {
    await reader.read()
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    expect(made.length).toBeLessThanOrEqual(read + 1)
  }
  await reader.cancel()
  expect(made.length).toBeLessThanOrEqual(6)
})

test('a body that breaks off says so in its last line, then fails, and the error is reported once', async () => {
  const reported: [string, unknown][] = []
  const report = async (at: string, error: unknown) => void reported.push([at, error])
  const error = new Error('There is no supertype for types String, UUID')
  for (const brokenOff of ['broken\n', undefined]) {
    const body = streamParts(count(2, [], error), { route, report, ...(brokenOff && { brokenOff }) })
    const reader = body.getReader()
    const decoder = new TextDecoder()
    const read: string[] = []
    const failure = await (async () => {
      for (;;) {
        const { value, done } = await reader.read()
        if (done) return null
        read.push(decoder.decode(value))
      }
    })().catch((caught: unknown) => caught)
    expect(failure).toBe(error)
    expect(read.slice(0, 2)).toEqual(['0\n', '1\n'])
    if (brokenOff) expect(read[2]).toBe(brokenOff)
  }
  expect(reported).toEqual([
    [route, error],
    [route, error],
  ])
})

test('a client that leaves ends what makes the parts', async () => {
  let isEnded = false
  async function* endless(): AsyncGenerator<string, void> {
    try {
      for (;;) yield 'part'
    } finally {
      isEnded = true
    }
  }
  const reader = streamParts(endless(), { route }).getReader()
  await reader.read()
  await reader.cancel()
  expect(isEnded).toBe(true)
})
