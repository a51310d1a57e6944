/**
 * Whoever sends telemetry chooses the text that these patterns run on. A pattern that backtracks lets one small request hold a thread
 * that works for everybody.
 */

import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { type BoundedPattern, boundedPatterns } from './bounded-patterns.ts'
import { findPatterns, patternsIn } from './find-patterns.ts'
import { isPlainlyLinear, splitAlternatives } from './pattern-cost.ts'
import { knownMakers, recordPatterns } from './record-patterns.ts'

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const found = findPatterns(root)
/** Files load once, so they are recorded once. */
const made = await recordPatterns()

type Checked = { file: string; source: string; flags: string }
type Unproven = Checked & { verdict: string }

test('every pattern in the sources is linear, or runs on a text of stated length', async () => {
  const all: Checked[] = [...found.filter(each => each.kind === 'literal'), ...made]
  expect(all.length).toBeGreaterThan(400)
  const unproven = await findUnproven(all)
  expect(unproven.map(({ file, source, flags, verdict }) => `${file} /${source}/${flags} ${verdict}`)).toEqual([])
})

test('what is said to be bounded stands in the sources', () => {
  const all = [...found.filter(each => each.kind === 'literal'), ...made]
  const parts = all.flatMap(({ file, source }) => splitAlternatives(source).map(part => ({ file, source: part })))
  expect(boundedPatterns.filter(bounded => !parts.some(part => isBounded(part, bounded)))).toEqual([])
})

test('no pattern is constructed from what a request brings', () => {
  const makers = found.filter(each => each.kind === 'constructed').map(({ file }) => file)
  expect([...new Set(makers)].toSorted()).toEqual(knownMakers.toSorted())
})

test('the checks know what backtracks', async () => {
  const [literal, made] = patternsIn('x.ts', 'const a = /\\s*=/; const b = new RegExp(a)')
  expect(literal).toMatchObject({ kind: 'literal', source: '\\s*=' })
  expect(made).toMatchObject({ kind: 'constructed', call: 'new RegExp(a)' })
  const sources = ['\\s*=', '^(a|a){1,40}$', '^(\\w+\\s?)*$', '\\beyJ[\\w-]{2,}\\.', '^.*x.*y$', 'x[^y]*$']
  const unproven = await findUnproven(sources.map(source => ({ file: '', source, flags: '' })))
  expect(unproven.map(({ source }) => source).toSorted()).toEqual(sources.toSorted())
})

async function findUnproven(patterns: readonly Checked[]): Promise<Unproven[]> {
  const parts = new Map<string, Checked>()
  for (const pattern of patterns)
    for (const source of splitAlternatives(pattern.source))
      if (
        !isPlainlyLinear(source, pattern.flags) &&
        !boundedPatterns.some(each => isBounded({ ...pattern, source }, each))
      )
        parts.set(`${source}/${withoutPosition(pattern.flags)}`, { ...pattern, source })
  const waiting = [...parts.values()].values()
  const unproven: Unproven[] = []
  await Promise.all(
    Array.from({ length: Math.min(4, availableParallelism()) }, async () => {
      const worker = new Worker(new URL('./recheck-worker.mjs', import.meta.url))
      for (const part of waiting) {
        const { verdict } = await ask(worker, { source: part.source, flags: withoutPosition(part.flags) })
        if (verdict !== 'safe') unproven.push({ ...part, verdict })
      }
      await worker.terminate()
    }),
  )
  return unproven
}

const isBounded = (part: { file: string; source: string }, { file, start }: BoundedPattern): boolean =>
  part.file === file && part.source.startsWith(start)

/** Whether it goes on from the last match is no matter of how it matches. */
const withoutPosition = (flags: string): string => flags.replace(/[gy]/g, '')

function ask(worker: Worker, pattern: { source: string; flags: string }): Promise<{ verdict: string }> {
  return new Promise((resolve, reject) => {
    worker.once('message', answer => {
      worker.off('error', reject)
      resolve(answer)
    })
    worker.once('error', reject)
    worker.postMessage(pattern)
  })
}
