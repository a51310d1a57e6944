/**
 * A process in reserve loads what no edit changes: the packages that its program imports. That is half of the time that loading takes,
 * and more for web, since Next loads its dev server in pieces.
 */
import { join } from 'node:path'
import { type ImportGraph, readImportGraph } from '../../bin/import-graph.mjs'

const root = join(import.meta.dirname, '../..')
const importPattern = /^(?:import|export)\s+(?!type\b)(?:[^'"]*?from\s+)?'([^'#.][^']*)'|\bimport\('([^'#.][^']*)'\)/gm

/** `entry` is a path below the root; `more` is what these packages load later by themselves. */
export async function preloadPackages(entry: string, more: readonly string[] = []): Promise<void> {
  // If one does not load, the program that imports it says so.
  for (const name of [...more, ...listPackages(readImportGraph(root, [entry]))])
    await import(name).catch(() => undefined)
}

/** In the order of their first import. Modules of Node are among them. */
export function listPackages(graph: ImportGraph): string[] {
  const names = new Set<string>()
  for (const text of graph.values())
    for (const [, ofStatement, ofCall] of text.matchAll(importPattern)) names.add(ofStatement ?? ofCall ?? '')
  return [...names]
}
