import { sqlLiteral } from './sql-literal.ts'

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
