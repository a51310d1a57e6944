import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Releases } from './issue-heading.tsx'

test.each([
  ['web@1', 'web@1', 'First seen in web@1.'],
  ['web@1', 'web@2', 'First seen in web@1, last in web@2.'],
  ['', 'web@2', 'First seen without a release, last in web@2.'],
  ['web@1', '', 'First seen in web@1, last without one.'],
  // Events between them may have one.
  ['', '', 'Its first and last event have no release.'],
])('releases %j and %j: %s', (first, last, sentence) => {
  const html = renderToStaticMarkup(createElement(Releases, { first, last }))
  expect(html.replaceAll(/<[^>]*>/g, '')).toBe(sentence)
})
