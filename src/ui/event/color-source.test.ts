import { expect, test } from 'vitest'
import { colorSource, warmHighlighter } from './color-source.ts'
import { readExceptions } from './read-event-view.ts'

const chain = (context_line: string, filename = 'app/checkout/actions.ts') =>
  readExceptions({ values: [{ type: 'Error', stacktrace: { frames: [{ filename, lineno: 3, context_line }] } }] })
const tokensOf = (line: string, filename?: string) =>
  colorSource(chain(line, filename))[0]?.frames[0]?.source[0]?.tokens

test('the source of a frame is colored before and after the grammar is warm', async () => {
  const line = "  const quote = quotes.find(q => q.service === 'express') // TypeScript"
  const cold = tokensOf(line)
  expect(cold?.find(token => token.look === 'ck')?.text).toBe('const')
  await expect.poll(() => warmHighlighter()).not.toBeNull()
  expect(
    tokensOf(line)
      ?.map(token => token.text)
      .join(''),
  ).toBe(line)
  // On a busy machine the first run may hit the time limit; the next one is complete.
  await expect.poll(() => tokensOf(line)?.some(token => token.look === 'cs')).toBe(true)
})

test('a line of a megabyte is cut, and a language without a grammar stays plain', () => {
  const [exception] = colorSource(chain('x'.repeat(1_000_000)))
  expect(exception?.frames[0]?.source[0]?.text).toMatch(/^x{500}… \(999,500 more characters\)$/)
  expect(tokensOf('def f(self): pass', 'app/views.py')).toBeNull()
})
