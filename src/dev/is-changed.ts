import { type ImportGraph, readText } from '../../bin/import-graph.mjs'

/** Whether an edit concerns a program. Editors and git also write files again without changing them. */
export const isChanged = (graph: ImportGraph, path: string): boolean => {
  const text = graph.get(path)
  return text !== undefined && text !== readText(path)
}
