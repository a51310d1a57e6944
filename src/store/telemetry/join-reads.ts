import { ZodObject, z } from 'zod'
import { allAborted } from '#lib/read-signal.ts'
import type { Asker } from '#lib/turns.ts'
import type { Query } from './query.ts'
import type { Telemetry } from './telemetry.ts'

/** A read that waits for the end of the turn. */
type Waiting = {
  sql: string
  params: Record<string, unknown>
  asker: Asker | undefined
  signal: AbortSignal | undefined
  /** Writes a row as a text. */
  rowText: string
  /** The rows as JSON, one text for each. */
  take(rows: string[]): void
  runAlone(): Promise<void>
}

const joinedRow = z.object({ part: z.coerce.number(), found: z.array(z.string()) })
/** Their rows are few: to read some of their columns later costs more than it saves. */
const settings = { query_plan_optimize_lazy_materialization: 0 }
const objectText = `formatRowNoNewline('JSONEachRow', *)`
const listText = (names: readonly string[]): string =>
  `formatRowNoNewline('JSONCompactEachRow', ${names.map(name => `\`${name}\``).join(', ')})`

/**
 * Splits a store in two. `soon` sends each read immediately as its own statement: the page renders one while the engine reads the
 * next. `late` waits until no read of `soon` is left, then joins the reads of one turn of the event loop into no more statements than
 * the engine runs in parallel. Each statement costs the engine some milliseconds before it reads, and the page a round trip.
 */
export function joinReads(telemetry: Telemetry): { soon: Telemetry; late: Telemetry } {
  const running = new Set<Promise<unknown>>()
  function track<Result>(read: Promise<Result>): Promise<Result> {
    const ended: Promise<unknown> = read.catch(() => undefined).then(() => running.delete(ended))
    running.add(ended)
    return read
  }
  const soon: Telemetry = {
    ...telemetry,
    query: query => track(telemetry.query({ ...query, settings: { ...settings, ...query.settings } })),
    columns: query => track(telemetry.columns({ ...query, settings: { ...settings, ...query.settings } })),
  }
  const soonEnded = async () => {
    while (running.size > 0) await Promise.all(running)
  }
  return { soon, late: joinTurns(telemetry, soonEnded) }
}

/**
 * Each part of a statement comes as one row, whose texts are the rows of that part. If a statement fails, each of its reads is tried
 * alone, so that one of them does not take the others with it. Reads with their own settings are not joined.
 */
function joinTurns(telemetry: Telemetry, before: () => Promise<void>): Telemetry {
  let waiting: Waiting[] = []

  function add(read: Waiting): void {
    waiting.push(read)
    // After what runs already, and before a page is rendered, which takes some milliseconds.
    if (waiting.length === 1) process.nextTick(flush)
  }

  async function flush(): Promise<void> {
    const reads = waiting
    waiting = []
    await before()
    const statements = Math.min(telemetry.readsAtOnce, reads.length)
    await Promise.all(
      Array.from({ length: statements }, (_, first) =>
        runJoined(reads.filter((_, index) => index % statements === first)),
      ),
    )
  }

  async function runJoined(reads: readonly Waiting[]): Promise<void> {
    const [only, ...more] = reads
    if (only && more.length === 0) return only.runAlone()
    const parts = reads.map(
      ({ sql, rowText }, part) => `SELECT ${part} AS part, groupArray(${rowText}) AS found FROM (${rename(sql, part)})`,
    )
    const params = Object.fromEntries(
      reads.flatMap((read, part) => Object.entries(read.params).map(([name, value]) => [`r${part}_${name}`, value])),
    )
    const answer = await telemetry
      .query({
        query: parts.join('\nUNION ALL\n'),
        params,
        schema: joinedRow,
        settings,
        asker: only?.asker,
        // One of them may be of a cached query that others wait for.
        signal: allAborted(reads.map(({ signal }) => signal)),
      })
      .catch(() => null)
    if (answer === null) await Promise.all(reads.map(read => read.runAlone()))
    else for (const [part, read] of reads.entries()) read.take(answer.find(row => row.part === part)?.found ?? [])
  }

  return {
    ...telemetry,
    query: <Row>(query: Query<Row>) => {
      if (query.settings !== undefined) return telemetry.query(query)
      const { promise, resolve, reject } = Promise.withResolvers<Row[]>()
      add({
        sql: query.query,
        params: query.params ?? {},
        asker: query.asker,
        signal: query.signal,
        rowText: objectText,
        take: settle(resolve, reject, rows => rows.map(row => query.schema.parse(JSON.parse(row)))),
        runAlone: () => telemetry.query(query).then(resolve, reject),
      })
      return promise
    },
    columns: <Columns>(query: Query<Columns>) => {
      if (query.settings !== undefined || !(query.schema instanceof ZodObject)) return telemetry.columns(query)
      const { promise, resolve, reject } = Promise.withResolvers<Columns>()
      const names = Object.keys(query.schema.shape)
      add({
        sql: query.query,
        params: query.params ?? {},
        asker: query.asker,
        signal: query.signal,
        rowText: listText(names),
        take: settle(resolve, reject, rows => query.schema.parse(toColumns(names, rows))),
        runAlone: () => telemetry.columns(query).then(resolve, reject),
      })
      return promise
    },
  }
}

/** Not in the statement: planning an array for each column costs more than the rows. */
function toColumns(names: readonly string[], rows: readonly string[]): Record<string, unknown[]> {
  const values: unknown[][] = rows.map(text => JSON.parse(text))
  return Object.fromEntries(names.map((name, at) => [name, values.map(row => row[at])]))
}

const rename = (sql: string, part: number): string => sql.replace(/\{(\w+):/g, `{r${part}_$1:`)

function settle<Result>(
  resolve: (result: Result) => void,
  reject: (error: unknown) => void,
  read: (rows: string[]) => Result,
): (rows: string[]) => void {
  return rows => {
    try {
      resolve(read(rows))
    } catch (error) {
      reject(error)
    }
  }
}
