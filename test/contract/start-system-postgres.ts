import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { waitAtLeast } from '../wait-limits.ts'
import { postgresFlags } from './postgres-flags.ts'
import type { RunningServer } from './start-postgres.ts'

const debianFolder = '/usr/lib/postgresql'
const startTimeoutMs = waitAtLeast(60_000)

/** The PostgreSQL of the system's packages, newest version first. */
export async function startSystemPostgres(port: number): Promise<RunningServer> {
  const bin = findBinaries()
  const folder = mkdtempSync(join(tmpdir(), 'hydrant-pg-'))
  const identity = unprivileged(folder)
  execFileSync(join(bin, 'initdb'), ['-D', folder, '-U', 'postgres', '--auth=trust', '-N'], {
    ...identity,
    stdio: 'pipe',
  })
  const server = spawn(join(bin, 'postgres'), ['-D', folder, '-p', String(port), ...postgresFlags], {
    ...identity,
    stdio: 'ignore',
  })
  const exited = new Promise(resolve => server.once('exit', resolve))
  const stop = async () => {
    server.kill('SIGINT')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  if (!(await answers(port))) {
    await stop()
    throw new Error(`${bin}/postgres did not answer within ${startTimeoutMs} ms`)
  }
  return { port, password: 'none', stop }
}

function findBinaries(): string {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).sort((a, b) => Number(b) - Number(a)) : []
  const found = versions
    .map(version => join(debianFolder, version, 'bin'))
    .find(bin => existsSync(join(bin, 'postgres')))
  if (found === undefined) throw new Error(`no PostgreSQL in ${debianFolder}`)
  return found
}

/** PostgreSQL refuses to run as root: the package's own user takes over, and the folder with it. */
function unprivileged(folder: string): { uid?: number; gid?: number } {
  if (userInfo().uid !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  const identity = { uid: id('-u'), gid: id('-g') }
  chownSync(folder, identity.uid, identity.gid)
  return identity
}

async function answers(port: number): Promise<boolean> {
  const deadline = Date.now() + startTimeoutMs
  while (Date.now() < deadline) {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
    try {
      await client.connect()
      await client.end()
      return true
    } catch {
      await sleep(50) // not yet
    }
  }
  return false
}
