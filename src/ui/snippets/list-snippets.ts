import { nextSnippets } from './next-snippets.ts'
import { curlSnippets, nodeSnippets, reactSnippets } from './other-snippets.ts'
import type { Connection, SnippetSet } from './snippet.ts'

export function listSnippets(connection: Connection): SnippetSet[] {
  return [nextSnippets, reactSnippets, nodeSnippets, curlSnippets].map(make => make(connection))
}
