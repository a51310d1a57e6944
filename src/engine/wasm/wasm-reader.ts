import type { Statement, StatementResult } from '../engine-driver.ts'
import { wasmStatementSettings } from '../engine-settings.ts'
import { readLock, setParameters } from '../statement.ts'
import type { WasmInstance } from './wasm-instance.ts'
import { openConnection, query } from './wasm-run.ts'

const maxConnections = 8 // one for each set of settings; the house uses three or four
const maxReads = 1_000 // of one connection, so that nothing it may gather stays for ever

/**
 * Reads on connections that stay, one for each set of settings, locked with `readonly` from the beginning: here a
 * connection costs four times what a small question does. Only parameters differ from one question to the next, and a
 * question that names one it did not bring gets a connection of its own, where nobody else's can be found.
 */
export function createWasmReader(wasm: WasmInstance): (statement: Statement) => StatementResult {
  const open = new Map<string, { connection: bigint; reads: number }>()

  function drop(prelude: string): void {
    const entry = open.get(prelude)
    if (entry) wasm.module._chdb_wasm_close_conn(entry.connection)
    open.delete(prelude)
  }

  /** The newest is last in the map: the one that is dropped was not asked for longest. */
  function take(prelude: string): { connection: bigint; lead: string } {
    const known = open.get(prelude)
    if (known && known.reads < maxReads) {
      open.delete(prelude)
      open.set(prelude, { ...known, reads: known.reads + 1 })
      return { connection: known.connection, lead: '' }
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
    if (result.kind === 'failed') drop(prelude) // whatever state it is in, the next question starts afresh
    return result
  }
}

/** Whatever looks like a parameter counts, in a text as well: a false alarm costs a connection, nothing else. */
const bringsItsParameters = ({ sql, parameters }: Statement): boolean =>
  Array.from(sql.matchAll(/\{\s*(\w+)\s*:/g)).every(([, name = '']) => Object.hasOwn(parameters, name))
