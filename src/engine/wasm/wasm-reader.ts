import type { Statement, StatementResult } from '../engine-driver.ts'
import { wasmStatementSettings } from '../engine-settings.ts'
import { readLock, setParameters } from '../statement.ts'
import type { WasmInstance } from './wasm-instance.ts'
import { openConnection, query } from './wasm-run.ts'

const maxConnections = 8 // one per set of settings; Hydrant uses three or four
const maxReads = 1_000 // per connection, in case it accumulates memory

/**
 * Runs reads on pooled connections, one per set of settings, all locked with `readonly`: opening a connection costs four times as
 * much as a small query. Parameters of earlier queries stay on a connection, so a query that refers to a parameter it does not
 * bring gets a fresh one.
 */
export function createWasmReader(wasm: WasmInstance): (statement: Statement) => StatementResult {
  const open = new Map<string, { connection: bigint; reads: number }>()

  function drop(prelude: string): void {
    const entry = open.get(prelude)
    if (entry) wasm.module._chdb_wasm_close_conn(entry.connection)
    open.delete(prelude)
  }

  /** The map is in order of use, so the first entry is the least recently used. */
  function take(prelude: string): { connection: bigint; lead: string } {
    const pooled = open.get(prelude)
    if (pooled && pooled.reads < maxReads) {
      open.delete(prelude)
      open.set(prelude, { ...pooled, reads: pooled.reads + 1 })
      return { connection: pooled.connection, lead: '' }
    }
    drop(prelude)
    const [oldest] = open.keys()
    if (open.size >= maxConnections && oldest !== undefined) drop(oldest)
    const connection = openConnection(wasm)
    open.set(prelude, { connection, reads: 1 })
    return { connection, lead: `SET ${wasmStatementSettings}; ${prelude}; ${readLock}` }
  }

  return statement => {
    const { prelude, parameters, sql, defaultFormat } = statement
    if (!bringsItsParameters(statement)) drop(prelude)
    const { connection, lead } = take(prelude)
    const before = [lead, setParameters(parameters)].filter(Boolean).join('; ')
    const result = query(wasm, connection, defaultFormat, before === '' ? '' : `${before};\n`, sql)
    if (result.kind === 'failed') drop(prelude) // its state is unknown, so the next query gets a new one
    return result
  }
}

/** Also matches parameters inside of string literals; a false positive only costs a connection. */
const bringsItsParameters = ({ sql, parameters }: Statement): boolean =>
  Array.from(sql.matchAll(/\{\s*(\w+)\s*:/g)).every(([, name = '']) => Object.hasOwn(parameters, name))
