import type { TestProject } from 'vitest/node'
import { startServer } from './start-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { port: number; password: string }
  }
}

/** One PostgreSQL for all files of the suite, each test with databases of its own: a server takes seconds to make, a database does not. */
export default async function sharePostgres(project: TestProject): Promise<() => Promise<void>> {
  const { port, password, stop } = await startServer()
  project.provide('postgres', { port, password })
  return stop
}
