import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { splitSnippet } from '../../../test/clients/split-snippet.ts'
import { listSnippets } from './list-snippets.ts'

const publicKey = '0123456789abcdef0123456789abcdef'
const sets = listSnippets({
  dsn: `https://${publicKey}@errors.example.com/43`,
  publicUrl: 'https://errors.example.com',
  publicKey,
  projectId: 43,
  organization: 'acme',
  project: 'web',
})

test('every snippet contains the host and the key of the project', () => {
  for (const set of sets) {
    const text = set.snippets.map(snippet => snippet.code).join('\n')
    expect(text, set.id).toContain(publicKey)
    expect(text, set.id).toContain('errors.example.com')
  }
})

test('the Next.js snippets set up a tunnel on the same origin and exclude it from the proxy', () => {
  const text = sets[0]?.snippets.map(snippet => snippet.code).join('\n')
  expect(text).toContain("tunnel: '/monitoring'")
  expect(text).toContain("source: '/monitoring', destination: 'https://errors.example.com/tunnel/'")
  expect(text).toContain('(?!monitoring|')
})

test.each(sets.filter(({ id }) => id !== 'curl'))(
  'every file of $label is code without a syntax error',
  ({ snippets }) => {
    for (const { code } of snippets)
      for (const [name, text] of splitSnippet(code)) expect([name, parseSync(name, text).errors]).toEqual([name, []])
  },
)

test('every framework has a tunnel, whose requests the server does not send as spans', () => {
  for (const id of ['react-router', 'remix', 'astro', 'server-rendering']) {
    const text =
      sets
        .find(set => set.id === id)
        ?.snippets.map(({ code }) => code)
        .join('\n') ?? ''
    expect(text, id).toContain("tunnel: '/monitoring'")
    expect(text, id).toContain('https://errors.example.com/tunnel/')
    expect(text, id).toContain('ignoreSpans')
  }
})
