import { expect, test } from 'vitest'
import { scrubJwts } from './scrub-jwts.ts'

test.each([
  ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-_1', 'jwt [scrubbed]'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0', '[scrubbed]'],
  ['token-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0. End', 'token-[scrubbed] End'],
  [
    'xeyJabc-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.s, eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.t',
    'xeyJabc-[scrubbed], [scrubbed]',
  ],
  ['eyJshort.eyJzdWIiOiIxMjM0In0', 'eyJshort.eyJzdWIiOiIxMjM0In0'],
  ['xeyJhbGciOiJIUzI1NiJ9.eyJzdWIi', 'xeyJhbGciOiJIUzI1NiJ9.eyJzdWIi'],
])('%s', (text, expected) => {
  expect(scrubJwts(text)).toBe(expected)
})
