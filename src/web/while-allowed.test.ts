import { expect, test } from 'vitest'
import { streamParts } from './stream-parts.ts'
import { AccessEnded, stillAllows, whileAllowed } from './while-allowed.ts'

/** Parts that take half a second each. */
function open(allowed: () => boolean) {
  const state = { now: 0, checks: 0, isEnded: false }
  async function* parts(): AsyncGenerator<string, void> {
    try {
      for (let index = 0; index < 10; index++) {
        state.now += 500
        yield `${index}\n`
      }
    } finally {
      state.isEnded = true
    }
  }
  const isAllowed = async () => {
    state.checks += 1
    return allowed()
  }
  return { state, parts: () => whileAllowed(parts(), isAllowed, () => state.now) }
}

async function readAll(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return { text, error: null }
      text += decoder.decode(value)
    }
  } catch (error) {
    return { text, error }
  }
}

test('a file of a reader with access is whole, and access is read once a second', async () => {
  const { state, parts } = open(() => true)
  expect(await readAll(streamParts(parts(), { route: '/' }))).toEqual({
    text: '0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n',
    error: null,
  })
  expect(state.checks).toBe(5)
})

test('a file breaks off when access ends, says so, and is no error of ours', async () => {
  const { state, parts } = open(() => state.now < 3_000)
  const reported: unknown[] = []
  const report = async (_: string, error: unknown) => void reported.push(error)
  const { text, error } = await readAll(streamParts(parts(), { route: '/', brokenOff: 'broken\n', report }))
  expect(text).toBe('0\n1\n2\n3\n4\nbroken\n')
  expect(error).toBeInstanceOf(AccessEnded)
  expect(reported).toEqual([])
  expect(state.isEnded).toBe(true)
})

test('access ends with the session, the role, and the sight of a project that is read', () => {
  const viewer = { projects: [{ id: 1 }, { id: 2 }] }
  const wanted: Parameters<typeof stillAllows>[2][] = [{}, { projectIds: [1] }, { mayRead: role => role === 'admin' }]
  const ask = (access: Parameters<typeof stillAllows>[0]) => wanted.map(one => stillAllows(access, viewer, one))
  expect(ask({ role: 'admin', hidden: new Set() })).toEqual([true, true, true])
  expect(ask({ role: 'member', hidden: new Set([2]) })).toEqual([false, true, false])
  expect(ask(null)).toEqual([false, false, false])
})
