import { expect, test } from 'vitest'
import { sortByVersion } from './read-releases.ts'

const sorted = (...versions: string[]) =>
  sortByVersion(versions.map(version => ({ version }))).map(each => each.version)

test('versions and builds sort by number, not as text', () => {
  expect(sorted('web@1.9.0', 'web@1.10.0', 'web@1.10.0-rc.2', 'web@1.10.0+9', 'web@1.10.0+10')).toEqual([
    'web@1.10.0+10',
    'web@1.10.0+9',
    'web@1.10.0',
    'web@1.10.0-rc.2',
    'web@1.9.0',
  ])
})

test('packages stay together, and commit hashes come after comparable versions', () => {
  const hash = 'deadbeefdeadbeefdeadbeefdeadbeefdeadbeef'
  expect(sorted(hash, 'web@1.0.0', 'api@2.0.0', 'cafe', 'web@2.0.0', '7')).toEqual([
    '7',
    hash,
    'cafe',
    'api@2.0.0',
    'web@2.0.0',
    'web@1.0.0',
  ])
})
