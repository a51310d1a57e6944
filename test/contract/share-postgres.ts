import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startServer } from './start-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { port: number; password: string }
    /** A folder that is removed after the run. */
    scratch: string
  }
}

/** One PostgreSQL for all files of the suite, each test with databases of its own: a server takes seconds to make, a database does not. */
export default async function sharePostgres(project: TestProject): Promise<() => Promise<void>> {
  const { port, password, stop } = await startServer()
  const scratch = mkdtempSync(join(tmpdir(), 'hydrant-contract-'))
  project.provide('postgres', { port, password })
  project.provide('scratch', scratch)
  return async () => {
    await stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}
