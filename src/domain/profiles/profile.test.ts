/** The profile model on chunks that the browser SDK (with `Document-Policy: js-profiling`) and the Node SDK have sent. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type CutProfile, cutProfile, ownCodeOnly } from './cut-profile.ts'
import { exportProfile } from './export-profile.ts'
import { type Box, listFunctions, mergedBoxes, timeBoxes } from './flame.ts'
import { isComponent } from './name-frames.ts'
import { type Chunk, readChunk } from './read-chunk.ts'

const read = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../test/fixtures/profiles', name), 'utf8'))

function must<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('nothing there')
  return value
}

type Span = { name: string; start_timestamp: number; end_timestamp: number }

function cut(side: 'node' | 'browser', spanName: string): CutProfile {
  const span = must((read(`${side}-spans.json`).items as Span[]).find(({ name }) => name === spanName))
  const range = { fromMs: span.start_timestamp * 1e3, toMs: span.end_timestamp * 1e3, thread: '0' }
  return must(cutProfile([must(readChunk(read(`${side}-chunk.json`)))], range))
}

const nameOf = ({ frames }: CutProfile, frame: number): string => must(frames[frame]).name
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)

describe.each([
  ['node', 'render ItemPage', 'relatedItems', 'parseCart'],
  ['node', 'parse cart', 'parseCart', 'relatedItems'],
  ['browser', 'render related', 'renderRelated', 'sortItems'],
  ['browser', 'sort', 'sortItems', 'renderRelated'],
] as const)('the %s profile, cut to the span %s', (side, span, inside, outside) => {
  const profile = cut(side, span)
  const functions = listFunctions(profile)
  const names = functions.map(({ frame }) => nameOf(profile, frame))

  test('has what ran in it and nothing else', () => {
    expect(names).toContain(inside)
    expect(names).not.toContain(outside)
    const last = must(profile.slices.at(-1))
    const range = must((read(`${side}-spans.json`).items as Span[]).find(({ name }) => name === span))
    expect(last.startMs + last.durationMs).toBeLessThanOrEqual(
      (range.end_timestamp - range.start_timestamp) * 1e3 + 0.01,
    )
    expect(profile.threadName).toBe('main')
    expect(profile.intervalMs).toBeGreaterThan(5)
    expect(profile.intervalMs).toBeLessThan(20)
  })

  test('spends most of the time in the function that did the work', () => {
    const row = must(functions.find(({ frame }) => nameOf(profile, frame) === inside))
    expect(row.totalMs).toBeGreaterThan(0.8 * sum(profile.slices.map(({ durationMs }) => durationMs)))
    expect(must(profile.frames[row.frame]).isOwn).toBe(true)
    expect(row.callers.length).toBeGreaterThan(0)
  })

  test('adds up: own times, the bottom row of the chart and the merged chart', () => {
    const all = sum(profile.slices.map(({ durationMs }) => durationMs))
    const bottom = (boxes: Box[]) => sum(boxes.filter(({ depth }) => depth === 0).map(({ from, to }) => to - from))
    expect(sum(functions.map(({ selfMs }) => selfMs))).toBeCloseTo(all, 3)
    expect(bottom(timeBoxes(profile))).toBeCloseTo(all, 3)
    expect(bottom(mergedBoxes(profile))).toBeCloseTo(all, 3)
  })

  test('draws each box within the one that called it', () => {
    for (const boxes of [timeBoxes(profile), mergedBoxes(profile)])
      for (const box of boxes.filter(({ depth }) => depth > 0)) {
        const isWithin = (other: Box) =>
          other.depth === box.depth - 1 && other.from <= box.from + 0.001 && other.to >= box.to - 0.001
        expect(boxes.some(isWithin)).toBe(true)
      }
  })

  test('has only own code if wanted', () => {
    const own = ownCodeOnly(profile)
    expect(new Set(own.slices.flatMap(({ stack }) => stack.map(at => must(own.frames[at]).isOwn)))).toEqual(
      new Set([true]),
    )
  })

  test('is downloaded for speedscope and Chrome with the same samples', () => {
    const scope = exportProfile(profile, span, 'speedscope') as {
      shared: { frames: unknown[] }
      profiles: { samples: number[][]; weights: number[]; endValue: number }[]
    }
    const [sampled] = scope.profiles
    expect(sampled?.samples).toHaveLength(profile.slices.length)
    expect(sampled?.weights).toHaveLength(profile.slices.length)
    expect(Math.max(...must(sampled).samples.flat())).toBeLessThan(scope.shared.frames.length)
    const chrome = exportProfile(profile, span, 'chrome') as {
      nodes: { id: number; hitCount: number; children: number[] }[]
      samples: number[]
      timeDeltas: number[]
    }
    const ids = new Set(chrome.nodes.map(({ id }) => id))
    expect(chrome.samples.every(id => ids.has(id))).toBe(true)
    expect(sum(chrome.nodes.map(({ hitCount }) => hitCount))).toBe(profile.slices.length)
    expect(chrome.nodes.flatMap(({ children }) => children).length).toBe(chrome.nodes.length - 1)
    expect(chrome.timeDeltas).toHaveLength(chrome.samples.length)
  })
})

const chunkOf = (stacks: number[][], samples: [number, number][], names = ['main', 'work', 'deep']): Chunk =>
  must(
    readChunk({
      platform: 'node',
      profile: {
        frames: names.map(name => ({ function: name, filename: `/srv/app/${name}.ts`, lineno: 1 })),
        stacks,
        samples: samples.map(([at, stack_id]) => ({ timestamp: at / 1e3, stack_id, thread_id: '1' })),
      },
    }),
  )

test('two chunks are joined by time, and the same function of both is one', () => {
  const first = chunkOf(
    [[1, 0]],
    [
      [0, 0],
      [10, 0],
    ],
  )
  const second = chunkOf(
    [[1, 0]],
    [
      [20, 0],
      [30, 0],
    ],
  )
  const profile = must(cutProfile([second, first], { fromMs: 0, toMs: 40, thread: null }))
  expect(timeBoxes(profile)).toEqual([
    { frame: 0, depth: 0, from: 0, to: 40, samples: 4 },
    { frame: 1, depth: 1, from: 0, to: 40, samples: 4 },
  ])
})

test('a sleeping thread is not busy: a long gap counts as ten intervals at most', () => {
  const chunk = chunkOf(
    [[0], []],
    [
      [0, 0],
      [10, 0],
      [20, 0],
      [5_000, 0],
      [5_010, 1],
    ],
  )
  const profile = must(cutProfile([chunk], { fromMs: 0, toMs: 6_000, thread: '1' }))
  expect(sum(profile.slices.map(({ durationMs }) => durationMs))).toBe(10 + 10 + 100 + 10)
  expect(timeBoxes(profile)).toHaveLength(2)
})

test('a function that calls itself counts once', () => {
  const chunk = chunkOf(
    [[1, 1, 1, 0]],
    [
      [0, 0],
      [10, 0],
    ],
  )
  const functions = listFunctions(must(cutProfile([chunk], { fromMs: 0, toMs: 20, thread: '1' })))
  expect(functions.map(({ frame, selfMs, totalMs }) => [frame, selfMs, totalMs])).toEqual([
    [1, 20, 20],
    [0, 0, 20],
  ])
})

test('a profile of one transaction counts from its own start', () => {
  const chunk = readChunk({
    version: '1',
    timestamp: '2026-11-18T00:00:00.000Z',
    profile: {
      frames: [{ function: 'main', filename: '/srv/app/main.ts' }],
      stacks: [[0]],
      samples: [{ stack_id: 0, thread_id: '0', elapsed_since_start_ns: '1500000' }],
    },
  })
  expect(chunk?.samples[0]?.atMs).toBe(Date.parse('2026-11-18T00:00:00.000Z') + 1.5)
})

test.each([null, 7, [], {}, { profile: {} }, { profile: { frames: 'x', stacks: [['a', -1, 9e9]], samples: [{}, 1] } }])(
  '%j is no profile, and does no harm',
  value => {
    expect(readChunk(value)).toBeNull()
  },
)

test('frames that do not exist, and stacks of a thousand frames, are cut', () => {
  const deep = chunkOf(
    [Array.from({ length: 1_000 }, () => 2), [0, 99]],
    [
      [0, 0],
      [10, 1],
    ],
  )
  expect(deep.samples.map(({ stack }) => stack.length)).toEqual([256, 1])
})

test.each([
  ['ItemPage', true, true],
  ['Cart2', true, true],
  ['ItemPage', false, false],
  ['relatedItems', true, false],
  ['URL', true, false],
  ['t', true, false],
  ['T', true, false],
  ['Cart.render', true, false],
  ['(anonymous)', true, false],
])('%s of own code (%s) is a component: %s', (name, isOwn, is) => {
  expect(isComponent({ name, isOwn })).toBe(is)
})
