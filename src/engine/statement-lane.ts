import type { Lane } from './engine-driver.ts'

const readVerbs = new Set(['SELECT', 'WITH', 'SHOW', 'DESCRIBE', 'DESC', 'EXISTS', 'EXPLAIN', 'FROM', 'VALUES'])

const spaceAndComments = /^(?:\s+|--[^\n]*(?:\n|$)|#![^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/|\()+/

/**
 * Reads run with `readonly`, so a wrong guess here is refused by the engine and never a hole:
 * whatever begins like a read can only read.
 */
export function statementLane(sql: string): Lane {
  const verb = /^[A-Za-z]+/.exec(sql.replace(spaceAndComments, ''))?.[0].toUpperCase()
  return verb !== undefined && readVerbs.has(verb) ? 'read' : 'write'
}
