import { expect, test } from 'vitest'
import { formatFinding, formatPart, formatShare } from './format-finding.ts'

test('100 % and 0 % are said only of all and none', () => {
  expect([1, 0.999, 0.97, 0.5, 0.001, 0].map(formatShare)).toEqual(['100 %', '>99 %', '97 %', '50 %', '<1 %', '0 %'])
})

test('numbers have as many digits as they are worth', () => {
  expect([2.04, 2.44, 4.3, 31.2, 12_345].map(value => formatPart({ kind: 'times', value }))).toEqual([
    '2×',
    '2.4×',
    '4×',
    '31×',
    '12.3k×',
  ])
  expect(formatPart({ kind: 'count', value: 40, isApproximate: true })).toBe('≈ 40')
})

test('names from SDKs are shortened, and hidden characters shown', () => {
  expect(formatPart({ kind: 'name', name: `plan:\u202e${'x'.repeat(500)}` })).toMatch(
    /^plan:⟨202E⟩x+… \(\d+ more characters\)$/,
  )
})

test('a sentence begins with a capital and ends with a period; without clauses it is empty', () => {
  const clause = {
    kind: 'x',
    aspect: 'change' as const,
    facet: 'x',
    rank: 0,
    strength: 1,
    evidence: { kind: 'section' as const, id: 'x' },
    tone: 'neutral' as const,
  }
  expect(
    formatFinding([
      { ...clause, parts: ['first ', 'one'] },
      { ...clause, parts: ['second'] },
    ]),
  ).toBe('First one; second.')
  expect(formatFinding([])).toBe('')
})
