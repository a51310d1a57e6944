import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addUsers,
  countUsers,
  countUsersIn,
  decodeUserSketch,
  emptyUserSketch,
  encodeUserSketch,
  mergeUserSketches,
} from './user-sketch.ts'

const hash = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map(String)
const hashes = fc.array(hash, { maxLength: 1_400 })
const sketchOf = (users: Iterable<string>) => addUsers(emptyUserSketch, users)

function people(count: number, seed: string): string[] {
  return Array.from({ length: count }, (_, index) =>
    createHash('sha256').update(`${seed}:${index}`).digest().readBigUInt64LE().toString(),
  )
}

test('up to 1,023 users are counted exactly', () => {
  for (const count of [127, 128, 1_000, 1_023]) expect(countUsers(sketchOf(people(count, 'exact')))).toBe(count)
  fc.assert(
    fc.property(fc.array(hash, { maxLength: 300 }), users => countUsers(sketchOf(users)) === new Set(users).size),
  )
})

test('unknown users are not counted', () => {
  expect(countUsers(sketchOf(['0', '0']))).toBe(0)
  expect(countUsers(addUsers(sketchOf(people(1_500, 'a')), ['0']))).toBe(countUsers(sketchOf(people(1_500, 'a'))))
})

test('one more user never lowers the count', () => {
  const users = people(1_300, 'growing')
  let before = 0
  for (let count = 1_000; count <= users.length; count += 1) {
    const now = countUsers(sketchOf(users.slice(0, count)))
    expect(now).toBeGreaterThanOrEqual(before)
    before = now
  }
})

test.each([1_024, 1_500, 2_500, 5_000, 20_000, 40_000])(
  '%i users are counted within a few per cent',
  count => {
    const errors = ['a', 'b', 'c', 'd'].map(seed => countUsers(sketchOf(people(count, seed))) / count - 1)
    const rootMeanSquare = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length)
    expect(rootMeanSquare).toBeLessThan(0.05)
  },
  20_000,
)

test('small sequential numbers are counted correctly too', () => {
  const inSequence = Array.from({ length: 10_000 }, (_, index) => String(index + 1))
  expect(Math.abs(countUsers(sketchOf(inSequence)) / 10_000 - 1)).toBeLessThan(0.1)
})

test('the order of adding and merging does not matter', () => {
  fc.assert(
    fc.property(hashes, hashes, (left, right) => {
      const together = encodeUserSketch(sketchOf([...left, ...right]))
      expect(encodeUserSketch(mergeUserSketches(sketchOf(left), sketchOf(right)))).toEqual(together)
      expect(encodeUserSketch(mergeUserSketches(sketchOf(right), sketchOf(left)))).toEqual(together)
      expect(encodeUserSketch(addUsers(sketchOf(right), left))).toEqual(together)
    }),
  )
})

test('adding the same users again changes nothing', () => {
  fc.assert(
    fc.property(hashes, users => {
      const once = sketchOf(users)
      expect(encodeUserSketch(addUsers(once, users))).toEqual(encodeUserSketch(once))
      expect(encodeUserSketch(mergeUserSketches(once, once))).toEqual(encodeUserSketch(once))
    }),
  )
})

test('a sketch survives encoding, in at most a tag and 8 KiB', () => {
  fc.assert(
    fc.property(hashes, users => {
      const bytes = encodeUserSketch(sketchOf(users))
      expect(bytes.length).toBeLessThanOrEqual(8_193)
      expect(encodeUserSketch(decodeUserSketch(bytes))).toEqual(bytes)
      expect(countUsers(decodeUserSketch(Buffer.from(bytes)))).toBe(countUsers(sketchOf(users)))
    }),
  )
})

test('adding does not change the given sketch', () => {
  const before = sketchOf(people(500, 'a'))
  const bytes = encodeUserSketch(before)
  addUsers(before, people(500, 'b'))
  expect(encodeUserSketch(before)).toEqual(bytes)
})

test('zero bytes are an empty sketch, and invalid bytes are refused', () => {
  expect(countUsers(decodeUserSketch(new Uint8Array()))).toBe(0)
  expect(() => decodeUserSketch(Uint8Array.of(9, 9))).toThrow('invalid user sketch')
})

test('counting many stored sketches equals counting their merge', () => {
  fc.assert(
    fc.property(fc.array(hashes, { maxLength: 6 }), groups => {
      const sketches = groups.map(sketchOf)
      const merged = sketches.reduce(mergeUserSketches, emptyUserSketch)
      expect(countUsersIn(sketches.map(encodeUserSketch))).toBe(countUsers(merged))
    }),
  )
})
