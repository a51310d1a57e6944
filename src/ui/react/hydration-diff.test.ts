import { expect, it } from 'vitest'
import { diffLines, formatHtml } from './hydration-diff.tsx'

it('indents nested elements and keeps a short text on the line of its element', () => {
  expect(formatHtml('<p class="by">Listed by <a href="/n">noor</a><time>3 days ago</time></p>')).toEqual([
    '<p class="by">Listed by',
    '  <a href="/n">noor</a>',
    '  <time>3 days ago</time>',
    '</p>',
  ])
})

it('shows truncated HTML and plain text as they are', () => {
  expect(formatHtml('<p><b>3 da')).toEqual(['<p>', '  <b>3 da'])
  expect(formatHtml('a < b')).toEqual(['a', '<', 'b'])
  expect(formatHtml('')).toEqual([])
})

it('pairs differing lines and marks the changed part', () => {
  const rows = diffLines(['<p>', '  <b>3 days ago</b>', '</p>'], ['<p>', '  <b>4 days ago</b>', '</p>'])
  expect(rows.map(({ isChanged }) => isChanged)).toEqual([false, true, false])
  expect(rows[1]?.server).toMatchObject({ before: '  <b>', changed: '3', after: ' days ago</b>' })
  expect(rows[1]?.client).toMatchObject({ before: '  <b>', changed: '4', after: ' days ago</b>' })
})

it('leaves the other side empty for a line that only one side has', () => {
  const rows = diffLines(['<nav>', '</nav>'], ['<nav>', '  <a>Sign in</a>', '</nav>'])
  expect(rows.map(({ server, client }) => [server?.number ?? null, client?.number ?? null])).toEqual([
    [1, 1],
    [null, 2],
    [2, 3],
  ])
})
