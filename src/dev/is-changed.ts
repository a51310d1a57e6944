import { readFileSync } from 'node:fs'
import type { ImportGraph } from '../../bin/import-graph.mjs'

/** An edit of a file that a program does not load needs no restart. An editor may save a file without a change, and git may write it anew. */
export const isChanged = (graph: ImportGraph, path: string): boolean => {
  const text = graph.get(path)
  return text !== undefined && text !== readText(path)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
