/** Senders of telemetry choose the text for these patterns. A pattern that backtracks would let one small request block a thread. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type BoundedPattern, boundedPatterns } from './bounded-patterns.ts'
import { findPatterns, patternsIn } from './find-patterns.ts'
import { isLinear, splitAlternatives } from './pattern-cost.ts'
import { knownMakers, recordPatterns } from './record-patterns.ts'

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const found = findPatterns(root)
/** Modules load once, so they are recorded once. */
const made = await recordPatterns()

type Part = { file: string; source: string; flags: string }

const all: Part[] = [...found.filter(each => each.kind === 'literal'), ...made]
/** Each distinct one: patterns for different error types have most alternatives in common. */
const parts = [
  ...new Map(
    all.flatMap(pattern =>
      splitAlternatives(pattern.source).map(source => [
        `${pattern.file} ${source} ${pattern.flags}`,
        { ...pattern, source },
      ]),
    ),
  ).values(),
]

test('every pattern in the sources is linear or has a documented bound', () => {
  expect(all.length).toBeGreaterThan(400)
  const unproven = parts.filter(
    part => !boundedPatterns.some(each => isBounded(part, each)) && !isLinear(part.source, part.flags),
  )
  expect(unproven.map(({ file, source, flags }) => `${file} /${source}/${flags}`)).toEqual([])
})

test('every documented bound belongs to a pattern in the sources', () => {
  expect(boundedPatterns.filter(bounded => !parts.some(part => isBounded(part, bounded)))).toEqual([])
})

test('no pattern is constructed from request data', () => {
  const makers = found.filter(each => each.kind === 'constructed').map(({ file }) => file)
  expect([...new Set(makers)].toSorted()).toEqual(knownMakers.toSorted())
})

test('literals and constructed patterns are found', () => {
  const [literal, constructed] = patternsIn('x.ts', 'const a = /\\s*=/; const b = new RegExp(a)')
  expect(literal).toMatchObject({ kind: 'literal', source: '\\s*=' })
  expect(constructed).toMatchObject({ kind: 'constructed', call: 'new RegExp(a)' })
})

test.each([
  ['\\s*=', 'tried from every blank'],
  ['^(a|a){1,40}$', 'two ways to read each a'],
  ['^(\\w+\\s?)*$', 'a word is many words'],
  ['^(?:a*)*b', 'a loop of a loop'],
  ['^(?:a{0,20}){0,20}b', 'the same, with bounds'],
  ['^(?:a?){12}a*b', 'each a may be any of twelve'],
  ['\\beyJ[\\w-]{2,}\\.', 'its beginning may repeat within'],
  ['^.*x.*y$', 'any x may be the one'],
  ['x[^y]*$', 'tried from every x'],
  ['x([^y]*y)?', 'tried in vain from every x that is found'],
  ['x(?=[^y]*y)', 'looks ahead from every x'],
  ['(?<=a.*)b', 'looks back from every b'],
  ['(a*)\\1b', 'refers back'],
])('/%s/ is not linear: %s', source => {
  expect(isLinear(source, 'g')).toBe(false)
})

test.each([
  '^(?:a|b)*c',
  '^a*b*c',
  '\\s+',
  '(?:%[\\dA-F]{2})+',
  '\\?[^]*$',
  '^(?:(?!, ).)*, x',
  '"[^"]*"?',
  '\\b\\w{1,20}@',
])('/%s/ is linear', source => {
  expect(isLinear(source, 'g')).toBe(true)
})

const isBounded = (part: { file: string; source: string }, { file, start }: BoundedPattern): boolean =>
  part.file === file && part.source.startsWith(start)
