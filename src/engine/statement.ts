import type { EngineMemory, Lane, Statement } from './engine-driver.ts'
import { engineStatementSettings } from './engine-settings.ts'

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

type InsertTarget = { table: string; columns: string[] | null; format: string }

const identifier = '[A-Za-z_][A-Za-z0-9_]*'
const insert = new RegExp(
  `^\\s*INSERT\\s+INTO\\s+(?:TABLE\\s+)?(${identifier}(?:\\.${identifier})?)\\s*(?:\\(([^()]*)\\)\\s*)?FORMAT\\s+([A-Za-z]+)\\s*$`,
  'i',
)
const column = new RegExp(`^(?:${identifier}|\`${identifier}\`)$`)

/** Reads the plain insert that @clickhouse/client writes; null for anything more elaborate. */
export function insertTarget(sql: string): InsertTarget | null {
  const [, table, list, format] = insert.exec(sql) ?? []
  if (table === undefined || format === undefined) return null
  if (list === undefined) return { table, columns: null, format }
  const columns = list.split(',').map(name => name.trim())
  if (!columns.every(name => column.test(name))) return null
  return { table, columns: columns.map(name => name.replaceAll('`', '')), format }
}

/** Whether an insert's rows are in a format that may hold any byte. */
export const isBinaryInsert = (sql: string): boolean => insertTarget(sql)?.format === 'Native'

/** The same insert with its rows in a file, where the engine finds them at this path. */
export function insertFromFile(sql: string, path: string): string {
  const target = insertTarget(sql)
  if (target === null) throw new Error('Only a plain insert can have its rows in a file')
  const columns = target.columns === null ? null : target.columns.map(name => `\`${name}\``).join(', ')
  const into = columns === null ? target.table : `${target.table} (${columns})`
  return `INSERT INTO ${into} SELECT ${columns ?? '*'} FROM file(${sqlLiteral(path)}, ${target.format})`
}

const escapes: Record<string, string> = { '\\': '\\\\', "'": "\\'", '\0': '\\0' }

/** A ClickHouse string literal. NUL is escaped too: the engine takes its text as a C string, which NUL would cut. */
export function sqlLiteral(value: string): string {
  return `'${value.replace(/[\\'\0]/g, character => escapes[character] ?? character)}'`
}
