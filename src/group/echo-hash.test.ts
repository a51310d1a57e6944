import { expect, it } from 'vitest'
import { echoHash } from './echo-hash.ts'

it('stands for one group of one project, and is the same for ever', () => {
  const hash = 'a'.repeat(32)
  expect(echoHash(7, hash)).toBe('66f398b9f4ae3af42ebe840fbfa7ff67')
  expect(new Set([echoHash(7, hash), echoHash(8, hash), echoHash(7, 'b'.repeat(32)), hash]).size).toBe(4)
})
