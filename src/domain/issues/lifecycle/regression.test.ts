import { expect, test } from 'vitest'
import type { ResolvedHow } from '#store/control/status-detail.ts'
import { findRegression } from './regression.ts'

const at = 1_000_000
const returns = (
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
  }
  return (
    findRegression(
      { how, at },
      [{ ...hash, release, timestamp: occurredAt, occurredAt, receivedAt: occurredAt }],
      version => seen[version],
    ) !== null
  )
}

test('an issue resolved in a release returns with a newer one, and not with the same or an older', () => {
  const how: ResolvedHow = { kind: 'in_release', version: 'shop@1.2.0' }
  expect(returns(how, 'shop@1.10.0')).toBe(true)
  expect(returns(how, 'shop@1.2.0')).toBe(false)
  expect(returns(how, 'shop@1.1.9')).toBe(false)
})

test('a plainly resolved issue returns with whatever occurs afterwards, in any release', () => {
  const how: ResolvedHow = { kind: 'now', release: 'shop@1.2.0' }
  for (const release of ['shop@1.1.0', 'shop@1.2.0', 'shop@1.2.1', '']) {
    expect(returns(how, release), release).toBe(true)
    expect(returns(how, release, at), release).toBe(false)
  }
})

test('where no releases are used anything after the resolution is a return', () => {
  const how: ResolvedHow = { kind: 'now', release: '' }
  expect(returns(how, '')).toBe(true)
  expect(returns(how, 'shop@1.0.0')).toBe(true)
  expect(returns({ kind: 'in_release', version: 'shop@1.0.0' }, '')).toBe(true)
})

test('what happened before the resolution and was only delivered late is no return', () => {
  expect(returns({ kind: 'now', release: '' }, '', at)).toBe(false)
  expect(returns({ kind: 'in_release', version: '1.0.0' }, '2.0.0', at - 5)).toBe(false)
})

test('resolved in the next release: that release must not have it any more', () => {
  const how: ResolvedHow = { kind: 'next_release', after: 'shop@1.2.0' }
  expect(returns(how, 'shop@1.2.0')).toBe(false)
  expect(returns(how, 'shop@1.3.0')).toBe(true)
  expect(returns({ ...how, version: 'shop@1.3.0' }, 'shop@1.3.0')).toBe(true)
})

test('commits are compared by when they were first seen', () => {
  const how: ResolvedHow = { kind: 'in_release', version: '4f9a1c2b' }
  const seen = { '4f9a1c2b': 500, '9e8d7c6b': 400, aabbccdd: 600 }
  expect(returns(how, '9e8d7c6b', at + 1, seen)).toBe(false)
  expect(returns(how, 'aabbccdd', at + 1, seen)).toBe(true)
})

test('a commit that nobody has seen yet counts from the resolution on', () => {
  const how: ResolvedHow = { kind: 'in_release', version: 'ffffffff' }
  expect(returns(how, '9e8d7c6b', at + 10, { '9e8d7c6b': 400 })).toBe(false)
  expect(returns(how, 'aabbccdd', at + 10, { aabbccdd: at + 5 })).toBe(true)
})
