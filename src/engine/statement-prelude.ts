import type { Lane, Statement } from './engine-driver.ts'
import type { EngineMemory } from './engine-memory.ts'
import { engineStatementSettings } from './engine-settings.ts'
import { sqlLiteral } from './sql-literal.ts'

/** What belongs to the HTTP interface itself and is no setting of the engine. */
const transportKeys = new Set([
  'query',
  'database',
  'default_format',
  'query_id',
  'session_id',
  'session_timeout',
  'session_check',
  'user',
  'password',
  'quota_key',
  'role',
  'compress',
  'decompress',
  'buffer_size',
  'wait_end_of_query',
  'stacktrace',
  'readonly', // ours is stricter: see below
])

const maxReadSeconds = 60
const maxQueryBytes = 64 * 1024 * 1024
const parameterPrefix = 'param_'
const name = /^[A-Za-z_][A-Za-z0-9_]*$/

type Prelude =
  | { kind: 'prelude'; sql: string; parameters: Record<string, string> }
  | { kind: 'refused'; reason: string }

/** Comes after the prelude of a read, since it forbids SET. 1 and not 2: only 1 refuses file(), url() and their like. */
export const readLock = 'SET readonly = 1'

/** Parameters are no settings: a connection that is locked takes them. Hostile values enter the text as literals. */
export const setParameters = (parameters: Statement['parameters']): string => {
  const pairs = Object.entries(parameters).map(([key, value]) => `${parameterPrefix}${key} = ${sqlLiteral(value)}`)
  return pairs.length === 0 ? '' : `SET ${pairs.join(', ')}`
}

/** 0 would be no bound at all. */
const lesserBound = (value: string, mostBytes: number): number => Math.min(Number(value) || mostBytes, mostBytes)

/**
 * Database and settings as statements that run first on the same connection, and the parameters, which reach the query through the
 * engine's own `{name:Type}` substitution.
 */
export function statementPrelude(url: URLSearchParams, lane: Lane, memory: EngineMemory): Prelude {
  const assignments = Object.entries(engineStatementSettings(memory)).map(([key, value]) => `${key} = ${value}`)
  // Before the client's own: no forgotten query may hold a slot, or fill the disk with what it sorts, forever.
  if (lane === 'read') assignments.push(`max_execution_time = ${maxReadSeconds}`)
  const parameters: Record<string, string> = {}
  for (const [key, value] of url) {
    if (transportKeys.has(key)) continue
    const isParameter = key.startsWith(parameterPrefix)
    const bare = isParameter ? key.slice(parameterPrefix.length) : key
    if (!name.test(bare))
      return { kind: 'refused', reason: `Setting or parameter name ${JSON.stringify(key)} is not a name` }
    if (isParameter) parameters[bare] = value
    // A client may ask for less memory than a statement gets here, not for more than there is.
    else if (bare === 'max_memory_usage') assignments.push(`${bare} = ${lesserBound(value, memory.statementBytes)}`)
    else assignments.push(`${key} = ${sqlLiteral(value)}`)
  }
  // On its own, since the next statement may already be longer than the 256 KiB it would get by default.
  const statements = [`SET max_query_size = ${maxQueryBytes}`, `SET ${assignments.join(', ')}`]
  const database = url.get('database')
  if (database) {
    if (!name.test(database)) return { kind: 'refused', reason: `Database ${JSON.stringify(database)} is not a name` }
    statements.push(`USE ${database}`)
  }
  return { kind: 'prelude', sql: statements.join('; '), parameters }
}
