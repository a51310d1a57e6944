import type { EngineMemory, Lane, Statement } from './engine-driver.ts'
import { engineStatementSettings } from './engine-settings.ts'

/** Parameters of the HTTP interface, which are not settings of the engine. */
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
  'readonly', // ours is stricter, see readLock
])

const maxReadSeconds = 60
const maxQueryBytes = 64 * 1024 * 1024
const parameterPrefix = 'param_'
const name = /^[A-Za-z_][A-Za-z0-9_]*$/

type Prelude =
  | { kind: 'prelude'; sql: string; parameters: Record<string, string> }
  | { kind: 'refused'; reason: string }

/** Runs after the prelude of a read, since it forbids SET. 1, not 2: only 1 forbids file(), url() and the like. */
export const readLock = 'SET readonly = 1'

/** Parameters are not settings, so they can be set on a read-only connection too. Values are escaped as literals. */
export const setParameters = (parameters: Statement['parameters']): string => {
  const pairs = Object.entries(parameters).map(([key, value]) => `${parameterPrefix}${key} = ${sqlLiteral(value)}`)
  return pairs.length === 0 ? '' : `SET ${pairs.join(', ')}`
}

/** 0 would mean no limit. */
const capBytes = (value: string, maxBytes: number): number => Math.min(Number(value) || maxBytes, maxBytes)

/**
 * Turns database and settings of a request into statements that run first on the same connection. Parameters are passed separately
 * and substituted by the engine (`{name:Type}`).
 */
export function statementPrelude(url: URLSearchParams, lane: Lane, memory: EngineMemory): Prelude {
  const assignments = Object.entries(engineStatementSettings(memory)).map(
    ([key, value]) => `${key} = ${typeof value === 'number' ? value : sqlLiteral(value)}`,
  )
  // The default, which a client may override: a forgotten query must not hold a slot or fill the disk forever.
  if (lane === 'read') assignments.push(`max_execution_time = ${maxReadSeconds}`)
  const parameters: Record<string, string> = {}
  for (const [key, value] of url) {
    if (transportKeys.has(key)) continue
    const isParameter = key.startsWith(parameterPrefix)
    const bare = isParameter ? key.slice(parameterPrefix.length) : key
    if (!name.test(bare))
      return { kind: 'refused', reason: `Setting or parameter name ${JSON.stringify(key)} is not a name` }
    if (isParameter) parameters[bare] = value
    // A client may lower the memory limit, not raise it.
    else if (bare === 'max_memory_usage') assignments.push(`${bare} = ${capBytes(value, memory.statementBytes)}`)
    else assignments.push(`${key} = ${sqlLiteral(value)}`)
  }
  // A separate statement, because the next one may exceed the default of 256 KiB.
  const statements = [`SET max_query_size = ${maxQueryBytes}`, `SET ${assignments.join(', ')}`]
  const database = url.get('database')
  if (database) {
    if (!name.test(database)) return { kind: 'refused', reason: `Database ${JSON.stringify(database)} is not a name` }
    statements.push(`USE ${database}`)
  }
  return { kind: 'prelude', sql: statements.join('; '), parameters }
}

type InsertTarget = { table: string; columns: string[] | null; format: string }

const identifier = '[A-Za-z_][A-Za-z0-9_]*'
const insert = new RegExp(
  `^\\s*INSERT\\s+INTO\\s+(?:TABLE\\s+)?(${identifier}(?:\\.${identifier})?)\\s*(?:\\(([^()]*)\\)\\s*)?FORMAT\\s+([A-Za-z]+)\\s*$`,
  'i',
)
const column = new RegExp(`^(?:${identifier}|\`${identifier}\`)$`)

/** Parses the simple INSERT that @clickhouse/client writes; null for anything else. */
export function insertTarget(sql: string): InsertTarget | null {
  const [, table, list, format] = insert.exec(sql) ?? []
  if (table === undefined || format === undefined) return null
  if (list === undefined) return { table, columns: null, format }
  const columns = list.split(',').map(name => name.trim())
  if (!columns.every(name => column.test(name))) return null
  return { table, columns: columns.map(name => name.replaceAll('`', '')), format }
}

/** True if the rows of the insert are in a binary format. */
export const isBinaryInsert = (sql: string): boolean => insertTarget(sql)?.format === 'Native'

/** The same insert with its rows in a file at this path, as the engine sees it. */
export function insertFromFile(sql: string, path: string): string {
  const target = insertTarget(sql)
  if (target === null) throw new Error('Only a simple INSERT can have its rows in a file')
  const columns = target.columns === null ? null : target.columns.map(name => `\`${name}\``).join(', ')
  const into = columns === null ? target.table : `${target.table} (${columns})`
  return `INSERT INTO ${into} SELECT ${columns ?? '*'} FROM file(${sqlLiteral(path)}, ${target.format})`
}

const escapes: Record<string, string> = { '\\': '\\\\', "'": "\\'", '\0': '\\0' }

/** A ClickHouse string literal. NUL is escaped too, because the engine takes the text as a C string. */
export function sqlLiteral(value: string): string {
  return `'${value.replace(/[\\'\0]/g, character => escapes[character] ?? character)}'`
}
