import { expect, it } from 'vitest'
import { formatDuration } from './format-duration.ts'

it.each([
  [0, '0 ms'],
  [0.2, '1 µs'],
  [640, '640 µs'],
  [1_800, '1.8 ms'],
  [94_000, '94 ms'],
  [999_400, '999 ms'],
  [999_700, '1 s'],
  [1_184_000, '1.18 s'],
  [31_500_000, '31.5 s'],
  [119_000_000, '119 s'],
  [150_000_000, '2.5 m'],
  [9_000_000_000, '2.5 h'],
])('%d µs reads %s', (us, text) => {
  expect(formatDuration(us)).toBe(text)
})
