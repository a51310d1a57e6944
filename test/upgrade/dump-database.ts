/** A PostgreSQL database as SQL: tables, rows, identities, constraints and indexes, in an order in which it can be run. */
import pg from 'pg'

type Column = { name: string; type: string; is_required: boolean; default_value: string | null; identity: string }

export async function dumpDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const read = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await client.query<Row>(text, values)).rows
  try {
    const tables = await read<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname`,
    )
    const lines: string[] = []
    for (const { name } of tables) {
      const columns = await listColumns(read, name)
      lines.push(`CREATE TABLE "${name}" (${columns.map(defineColumn).join(', ')});`)
      lines.push(...(await listInserts(read, name, columns)))
      for (const column of columns.filter(({ identity }) => identity !== ''))
        lines.push(
          `SELECT setval(pg_get_serial_sequence('"${name}"', '${column.name}'), (SELECT coalesce(max("${column.name}"), 0) + 1 FROM "${name}"), false);`,
        )
    }
    // Foreign keys ("f") come after the keys that they refer to.
    const constraints = await read<{ line: string }>(
      `SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s;', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS line
       FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'c', 'f')
       ORDER BY contype = 'f', conname`,
    )
    const indexes = await read<{ line: string }>(
      `SELECT indexdef || ';' AS line FROM pg_indexes WHERE schemaname = 'public'
       AND indexname NOT IN (SELECT conname FROM pg_constraint) ORDER BY indexname`,
    )
    return [...lines, ...constraints.map(({ line }) => line), ...indexes.map(({ line }) => line), ''].join('\n')
  } finally {
    await client.end()
  }
}

type Read = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>

function listColumns(read: Read, table: string): Promise<Column[]> {
  return read<Column>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS is_required,
       pg_get_expr(d.adbin, d.adrelid) AS default_value, a.attidentity AS identity
     FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE a.attrelid = format('%I', $1::text)::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    [table],
  )
}

function defineColumn({ name, type, is_required, default_value, identity }: Column): string {
  const parts = [`"${name}" ${type}`]
  if (identity !== '') parts.push(`GENERATED ${identity === 'a' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY`)
  else if (default_value !== null) parts.push(`DEFAULT ${default_value}`)
  if (is_required) parts.push('NOT NULL')
  return parts.join(' ')
}

async function listInserts(read: Read, table: string, columns: Column[]): Promise<string[]> {
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  const values = columns.map(({ name }) => `quote_nullable("${name}"::text)`).join(" || ', ' || ")
  const rows = await read<{ line: string }>(`SELECT ${values} AS line FROM "${table}" ORDER BY 1`)
  return rows.map(({ line }) => `INSERT INTO "${table}" (${names}) OVERRIDING SYSTEM VALUE VALUES (${line});`)
}
