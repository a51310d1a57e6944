import type { EngineDriver } from './engine-driver.ts'

/** Asks the engine for its version; the first statement, so it also proves that the data folder opened. */
export async function engineVersion(run: EngineDriver['run']): Promise<string> {
  const sql = 'SELECT version()'
  const statement = {
    lane: 'read',
    parameters: {},
    prelude: 'SET max_execution_time = 10',
    sql,
    body: null,
    rowsFile: null,
    defaultFormat: 'TSV',
  } as const
  const result = await run(statement, new AbortController().signal)
  if (result.kind === 'failed') throw new Error(result.message)
  return Buffer.from(result.bytes).toString().trim()
}
