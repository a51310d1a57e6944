import { expect, test, vi } from 'vitest'
import type { Viewer } from '#domain/access/viewer.ts'

vi.mock('#runtime.ts', () => ({ getRuntime: () => ({ control: {}, clock: { now: () => 0 } }) }))
vi.mock('./viewer.ts', () => ({ findSessionId: async () => 'session' }))
const access = vi.fn()
vi.mock('#domain/projects/live-access.ts', () => ({ readLiveAccess: async () => access }))

const { AccessEnded, sessionCheck, whileAllowed } = await import('./while-allowed.ts')
const { streamParts } = await import('./stream-parts.ts')

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

test('access ends with the session, the role, and the sight of a project that is read', async () => {
  const viewer = { user: { id: 'ada' }, organization: { id: 1 }, projects: [{ id: 1 }, { id: 2 }] } as unknown as Viewer
  const checks = await Promise.all([
    sessionCheck(viewer, {}),
    sessionCheck(viewer, { projectIds: [1] }),
    sessionCheck(viewer, { mayRead: role => role === 'admin' }),
  ])
  const ask = (given: unknown) => {
    access.mockReturnValue(given)
    return Promise.all(checks.map(check => check()))
  }
  expect(await ask({ role: 'admin', hidden: new Set() })).toEqual([true, true, true])
  expect(await ask({ role: 'member', hidden: new Set([2]) })).toEqual([false, true, false])
  expect(await ask(null)).toEqual([false, false, false])
})
