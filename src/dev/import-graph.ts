/** Which files programs load, with their texts: an edit of another file needs no restart. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** By absolute path. The text of a file that is missing is empty. */
export type ImportGraph = ReadonlyMap<string, string>

/** Imports of values, and workers, which are named by their URL. Types are erased. */
const patterns = [
  /^(?:import|export)\s+(?!type\b)(?:[^'"]*?from\s+)?'([^']+)'/gm,
  /\bimport\('([^']+)'\)/g,
  /new URL\('([^']+)', import\.meta\.url\)/g,
]

export function readImportGraph(root: string, ...entries: readonly string[]): ImportGraph {
  const graph = new Map<string, string>()
  const visit = (path: string): void => {
    if (graph.has(path)) return
    const text = readText(path)
    graph.set(path, text)
    for (const target of patterns.flatMap(pattern => [...text.matchAll(pattern)].map(match => match[1] ?? ''))) {
      if (target.startsWith('#')) visit(join(root, 'src', target.slice(1)))
      else if (target.startsWith('.')) visit(join(dirname(path), target))
    }
  }
  for (const entry of entries) visit(join(root, entry))
  return graph
}

/** An editor may save a file without a change, and git may write it anew. */
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
