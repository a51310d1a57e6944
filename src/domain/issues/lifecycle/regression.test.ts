import { expect, test } from 'vitest'
import type { ResolvedHow } from '#store/control/status-detail.ts'
import { findRegression } from './regression.ts'

const at = 1_000_000
const regresses = (
  how: ResolvedHow,
  release: string,
  occurredAt = at + 1,
  seen: Record<string, number> = {},
): boolean => {
  const hash = {
    projectId: 1,
    groupVersion: 1,
    groupHash: 'a',
    eventId: 'e',
    isUnhandled: false,
    weight: 1,
    userHash: '0',
    representedUsers: [],
  }
  return (
    findRegression(
      { how, at },
      [{ ...hash, release, timestamp: occurredAt, occurredAt, receivedAt: occurredAt }],
      version => seen[version],
    ) !== null
  )
}

test('an issue resolved in a release regresses with a newer release, not with the same or an older one', () => {
  const how: ResolvedHow = { kind: 'in_release', version: 'shop@1.2.0' }
  expect(regresses(how, 'shop@1.10.0')).toBe(true)
  expect(regresses(how, 'shop@1.2.0')).toBe(false)
  expect(regresses(how, 'shop@1.1.9')).toBe(false)
})

test('a plainly resolved issue regresses with any later event, in any release', () => {
  const how: ResolvedHow = { kind: 'now', release: 'shop@1.2.0' }
  for (const release of ['shop@1.1.0', 'shop@1.2.0', 'shop@1.2.1', '']) {
    expect(regresses(how, release), release).toBe(true)
    expect(regresses(how, release, at), release).toBe(false)
  }
})

test('without releases any event after the resolution is a regression', () => {
  const how: ResolvedHow = { kind: 'now', release: '' }
  expect(regresses(how, '')).toBe(true)
  expect(regresses(how, 'shop@1.0.0')).toBe(true)
  expect(regresses({ kind: 'in_release', version: 'shop@1.0.0' }, '')).toBe(true)
})

test('an event that happened before the resolution and arrived late is not a regression', () => {
  expect(regresses({ kind: 'now', release: '' }, '', at)).toBe(false)
  expect(regresses({ kind: 'in_release', version: '1.0.0' }, '2.0.0', at - 5)).toBe(false)
})

test('an issue resolved in the next release regresses with that release', () => {
  const how: ResolvedHow = { kind: 'next_release', after: 'shop@1.2.0' }
  expect(regresses(how, 'shop@1.2.0')).toBe(false)
  expect(regresses(how, 'shop@1.3.0')).toBe(true)
  expect(regresses({ ...how, version: 'shop@1.3.0' }, 'shop@1.3.0')).toBe(true)
})

test('commit hashes are compared by when they were first seen', () => {
  const how: ResolvedHow = { kind: 'in_release', version: '4f9a1c2b' }
  const seen = { '4f9a1c2b': 500, '9e8d7c6b': 400, aabbccdd: 600 }
  expect(regresses(how, '9e8d7c6b', at + 1, seen)).toBe(false)
  expect(regresses(how, 'aabbccdd', at + 1, seen)).toBe(true)
})

test('a commit hash that was never seen counts as first seen at the resolution', () => {
  const how: ResolvedHow = { kind: 'in_release', version: 'ffffffff' }
  expect(regresses(how, '9e8d7c6b', at + 10, { '9e8d7c6b': 400 })).toBe(false)
  expect(regresses(how, 'aabbccdd', at + 10, { aabbccdd: at + 5 })).toBe(true)
})
