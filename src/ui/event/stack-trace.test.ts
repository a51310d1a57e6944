import { expect, test } from 'vitest'
import type { FrameView } from './event-view.ts'
import { foldFrames } from './stack-trace.tsx'

const frames = (pattern: string): FrameView[] =>
  [...pattern].map(letter => ({
    name: letter,
    path: '',
    line: null,
    column: null,
    isInApp: letter === 'a',
    source: [],
    vars: [],
    advice: null,
  }))
const shape = (pattern: string) =>
  foldFrames(frames(pattern))
    .map(run => (run.kind === 'frame' ? '1' : `${run.frames.length}`))
    .join(' ')

test('runs of framework frames fold, single ones and app frames stay', () => {
  expect(shape('alla')).toBe('1 2 1')
  expect(shape('alal')).toBe('1 1 1 1')
  expect(shape('lllla')).toBe('4 1')
})

test('a stack of framework frames only does not fold', () => {
  expect(shape('lll')).toBe('1 1 1')
})
