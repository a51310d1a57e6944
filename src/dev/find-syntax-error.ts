import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

/** Null if Node can read all of them. A file that is gone has no syntax error. */
export function findSyntaxError(paths: readonly string[]): string | null {
  for (const path of paths.filter(path => path.endsWith('.ts'))) {
    const text = readOrNull(path)
    if (text === null) continue
    try {
      stripTypeScriptTypes(text)
    } catch (error) {
      return `${path}: ${error instanceof Error ? error.message : String(error)}`
    }
  }
  return null
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
