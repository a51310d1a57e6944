import { describe, expect, test } from 'vitest'
import { growthOf, linearGrowth } from '../../test/growth-of.ts'
import { compareReleases, isNewerRelease, newestRelease } from './compare-releases.ts'

/** Each list from the oldest to the newest. */
const rows: [string, string[]][] = [
  ['semantic versions by number, not by letter', ['1.2.3', '1.2.10', '1.10.0', '2.0.0']],
  ['a leading v', ['v1.2.9', '1.3.0', 'v1.4.0']],
  [
    'pre-releases before their release',
    ['1.0.0-alpha.1', '1.0.0-alpha.2', '1.0.0-beta', '1.0.0-rc.2', '1.0.0-rc.10', '1.0.0'],
  ],
  ['versions with a package', ['shop@1.2.3', 'shop@1.2.4', 'shop@1.10.0']],
  ['versions of a scoped package', ['@acme/shop@1.2.3', '@acme/shop@1.3.0']],
  ['builds of one version', ['shop@1.2.3+9', 'shop@1.2.3+45', 'shop@1.2.3+100', 'shop@1.2.4+1']],
  ['four numbers', ['10.0.1.9', '10.0.1.10']],
  ['build numbers', ['999', '1000', '10433']],
  ['dates', ['2025-12-31', '2026-01-02', '2026-11-15']],
  ['deploys of a day', ['2026.11.15', '2026.11.15-2', '2026.11.15-10', '2026.11.16']],
  ['moments', ['2026-11-15T09-30-00', '2026-11-15T10-00-00']],
]

describe('releases are in order', () => {
  test.each(rows)('%s', (_, releases) => {
    for (const [index, older] of releases.entries())
      for (const newer of releases.slice(index + 1)) {
        expect([older, newer, compareReleases(older, newer)]).toEqual([older, newer, -1])
        expect([newer, older, compareReleases(newer, older)]).toEqual([newer, older, 1])
      }
  })
})

test('a release is not newer than itself, however it is named', () => {
  for (const name of ['', 'main', '1.2.3', 'shop@1.2.3+a1b2c3d', '4f9a1c2']) expect(compareReleases(name, name)).toBe(0)
})

test('names without an order are not ordered by accident', () => {
  for (const [left, right] of [
    ['4f9a1c2b', '9e8d7c6b'],
    ['shop@1.2.3', 'admin@1.2.4'],
    ['shop@1.2.3+4f9a1c2', 'shop@1.2.3+9e8d7c6'],
    ['1.2.3', '2026-11-15'],
    ['staging', 'production'],
    ['1.2.3', 'latest'],
  ] as const)
    expect([left, right, compareReleases(left, right)]).toEqual([left, right, null])
})

test('commit hashes are ordered by the time when they were first seen', () => {
  const older = { version: '9e8d7c6b', firstSeen: 1_000 }
  const newer = { version: '4f9a1c2b', firstSeen: 2_000 }
  expect(isNewerRelease(newer, older)).toBe(true)
  expect(isNewerRelease(older, newer)).toBe(false)
  expect(newestRelease([newer, older])).toBe(newer)
})

test('a hotfix of an older version is not the newest release', () => {
  const releases = [
    { version: 'shop@2.0.0', firstSeen: 1_000 },
    { version: 'shop@1.9.1', firstSeen: 2_000 },
  ]
  expect(newestRelease(releases)?.version).toBe('shop@2.0.0')
})

test('a hostile name is compared in linear time', () => {
  const compare = (size: number) => {
    const long = `shop@${'1.'.repeat(size / 2)}`
    expect(compareReleases(long, `${long}1`)).toBeNull()
  }
  expect(growthOf(compare, 20_000)).toBeLessThan(linearGrowth)
})
