import { Kysely, PostgresDialect } from 'kysely'
import type { Control } from './control.ts'
import type { ControlSchema } from './schema.ts'

const int8 = 20
const numeric = 1700
const maxConnections = 10 // per process; the server's default of 100 leaves room for several nodes
const connectTimeoutMs = 10_000

/** Loads the driver with the first query, so that a start with SQLite does not pay for it. */
export function openPostgres(databaseUrl: string): Control {
  const pool = async () => {
    const { default: pg } = await import('pg')
    const opened = new pg.Pool({
      connectionString: databaseUrl,
      max: maxConnections,
      connectionTimeoutMillis: connectTimeoutMs,
      types: { getTypeParser: (oid, format) => (isWholeNumber(oid) ? Number : pg.types.getTypeParser(oid, format)) },
    })
    // The pool replaces an idle connection that the server closed; without a listener its error would end the process.
    opened.on('error', () => {})
    // The same for a connection lost between two queries of a transaction: the next query reports the error.
    opened.on('connect', client => client.on('error', () => {}))
    return opened
  }
  const db = new Kysely<ControlSchema>({ dialect: new PostgresDialect({ pool }) })
  return { db, dialect: 'postgres', checkpoint: () => Promise.resolve(), close: () => db.destroy() }
}

/** Parsed as numbers, not text: ids and counters stay below 2^53, and sum() of a bigint column is numeric. */
function isWholeNumber(oid: number): boolean {
  return oid === int8 || oid === numeric
}
