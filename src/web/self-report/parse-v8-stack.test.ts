import { expect, test } from 'vitest'
import { parseV8Stack } from './parse-v8-stack.ts'

test('a stack of this very process is read, the failing call last', () => {
  function breaks() {
    throw new Error('as asked')
  }
  try {
    breaks()
  } catch (error) {
    const frames = parseV8Stack(error instanceof Error ? (error.stack ?? '') : '')
    expect(frames.at(-1)).toMatchObject({ function: 'breaks', in_app: true, lineno: 6 })
    expect(frames.at(-1)?.filename).toContain('parse-v8-stack.test.ts')
    expect(frames.some(frame => !frame.in_app)).toBe(true)
  }
})
