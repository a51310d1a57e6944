import type { Lane } from './engine-driver.ts'
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

type Prelude = { kind: 'prelude'; sql: string } | { kind: 'refused'; reason: string }

/**
 * Database, settings and parameters as statements that run first on the same connection. Values are hostile:
 * they enter the text as literals and reach the query through the engine's own `{name:Type}` substitution.
 */
export function statementPrelude(url: URLSearchParams, lane: Lane): Prelude {
  const assignments = Object.entries(engineStatementSettings).map(([key, value]) => `${key} = ${value}`)
  // Before the client's own: no forgotten query may hold a slot, or fill the disk with what it sorts, forever.
  if (lane === 'read') assignments.push(`max_execution_time = ${maxReadSeconds}`)
  for (const [key, value] of url) {
    if (transportKeys.has(key)) continue
    const bare = key.startsWith(parameterPrefix) ? key.slice(parameterPrefix.length) : key
    if (!name.test(bare))
      return { kind: 'refused', reason: `Setting or parameter name ${JSON.stringify(key)} is not a name` }
    assignments.push(`${key} = ${sqlLiteral(value)}`)
  }
  // On its own, since the next statement may already be longer than the 256 KiB it would get by default.
  const statements = [`SET max_query_size = ${maxQueryBytes}`, `SET ${assignments.join(', ')}`]
  const database = url.get('database')
  if (database) {
    if (!name.test(database)) return { kind: 'refused', reason: `Database ${JSON.stringify(database)} is not a name` }
    statements.push(`USE ${database}`)
  }
  // Last, since it forbids SET. 1 and not 2: only 1 refuses file(), url() and their like.
  if (lane === 'read') statements.push('SET readonly = 1')
  return { kind: 'prelude', sql: statements.join('; ') }
}
