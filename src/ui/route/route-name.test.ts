import { expect, test } from 'vitest'
import { splitRoute } from './route-name.tsx'

test.each([
  ['/', ['/']],
  ['/items/[id]/edit', ['/items/', '[id]', '/edit']],
  ['/[[...slug]]', ['/', '[[...slug]]', '']],
  ['/[lang]/docs/v[major].[minor]', ['/', '[lang]', '/docs/v', '[major].[minor]', '']],
  ['/odd]/[open', ['/odd]/[open']],
])('%s', (route, parts) => {
  expect(splitRoute(route)).toEqual(parts)
})
