import { Kysely, PostgresDialect } from 'kysely'
import type { Control } from './control.ts'
import type { ControlSchema } from './schema.ts'

const int8 = 20
const numeric = 1700
const maxConnections = 10 // per process; a server's default of 100 leaves room for several nodes
const connectTimeoutMs = 10_000

/** The driver is loaded with the first query, so that a start on SQLite does not pay for it. */
export function openPostgres(databaseUrl: string): Control {
  const pool = async () => {
    const { default: pg } = await import('pg')
    const opened = new pg.Pool({
      connectionString: databaseUrl,
      max: maxConnections,
      connectionTimeoutMillis: connectTimeoutMs,
      types: { getTypeParser: (oid, format) => (isWholeNumber(oid) ? Number : pg.types.getTypeParser(oid, format)) },
    })
    // An idle connection that the server closes is replaced on next use; without a listener it would end the process.
    opened.on('error', () => {})
    // Nor is one that is lost between two queries of a transaction, which the pool does not listen to: the next query fails and says so.
    opened.on('connect', client => client.on('error', () => {}))
    return opened
  }
  const db = new Kysely<ControlSchema>({ dialect: new PostgresDialect({ pool }) })
  return { db, dialect: 'postgres', checkpoint: () => Promise.resolve(), close: () => db.destroy() }
}

/** Ids and counters stay below 2^53, and sum() of a bigint column is numeric: as text, 1 + 1 would be 11. */
function isWholeNumber(oid: number): boolean {
  return oid === int8 || oid === numeric
}
