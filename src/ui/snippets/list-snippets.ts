import { astroSnippets } from './astro-snippets.ts'
import { nextSnippets } from './next-snippets.ts'
import { curlSnippets, nodeSnippets, reactSnippets } from './other-snippets.ts'
import { reactRouterSnippets } from './react-router-snippets.ts'
import { remixSnippets } from './remix-snippets.ts'
import { serverSnippets } from './server-snippets.ts'
import type { Connection, SnippetSet } from './snippet.ts'
import { tanstackStartSnippets } from './tanstack-start-snippets.ts'

const sets = [
  nextSnippets,
  reactRouterSnippets,
  tanstackStartSnippets,
  remixSnippets,
  astroSnippets,
  serverSnippets,
  reactSnippets,
  nodeSnippets,
  curlSnippets,
]

export function listSnippets(connection: Connection): SnippetSet[] {
  return sets.map(make => make(connection))
}
