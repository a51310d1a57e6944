import type Database from 'better-sqlite3'
import type { SqliteDatabase } from 'kysely'

const most = 200
/** Chars. Longer ones name hundreds of ids, and hardly ever come again. */
const longest = 4_000

/** Kysely has every statement prepared anew; a page asks the same fifteen each time. SQLite itself sees to it when a table changes. */
export function keepStatements(database: Database.Database): SqliteDatabase {
  const kept = new Map<string, Database.Statement<unknown[]>>()
  return {
    close: () => database.close(),
    prepare: sql => {
      const known = kept.get(sql)
      if (known && !known.busy) return known
      const statement = database.prepare<unknown[]>(sql)
      if (known || sql.length > longest) return statement
      const [oldest] = kept.keys()
      if (kept.size >= most && oldest !== undefined) kept.delete(oldest)
      kept.set(sql, statement)
      return statement
    },
  }
}
