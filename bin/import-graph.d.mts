/** By absolute path. */
export type ImportGraph = ReadonlyMap<string, string>

export function readImportGraph(root: string, entries: readonly string[]): ImportGraph

export function readText(path: string): string
