/**
 * Data folders of earlier versions, stopped in the middle of a batch: this version takes over everything in them.
 * `test/upgrade/record-folder.ts` made them.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type PostgresServer, startPostgres } from '../contract/start-postgres.ts'
import { readBuiltCart } from '../read-built-cart.ts'
import { type Hydrant, startHydrant, until } from '../start-hydrant.ts'
import { listIssueCounts, type RecordedFolder, readSurface, type Surface } from '../upgrade/read-surface.ts'
import { postEnvelope } from './post-envelope.ts'
import { signInVisitor } from './visitor.ts'

const fixtures = join(import.meta.dirname, '../fixtures/upgrade')
const versions = readdirSync(fixtures)
const reopenedTitle = 'Error: The first shelf fell'
const freshTitles = [
  'Error: The fifth shelf fell',
  'Error: The sixth shelf fell',
  'ServerError: a server component or action failed',
]

let postgres: PostgresServer
let hydrant: Hydrant | null = null
beforeAll(async () => {
  postgres = await startPostgres()
})
afterEach(() => hydrant?.stop())
afterAll(() => postgres?.stop())

describe.each(versions)('the data folder of version %s', version => {
  test.each(['sqlite', 'postgres'] as const)(
    'with %s keeps its data, and finishes what it had accepted',
    async kind => {
      const recorded = JSON.parse(readFileSync(join(fixtures, version, `${kind}.json`), 'utf8')) as RecordedFolder
      const { before, pending, token } = recorded
      const { url } = (hydrant = await startRecorded(version, kind, recorded))
      await hydrant.drained()
      const wanted = [pending.held, ...pending.sealed]
      await until(async () => {
        const counts = await listIssueCounts({ url, token })
        return counts.get(reopenedTitle) === 3 && freshTitles.every(title => counts.has(title))
      })
      const after = await readSurface({ url, token })
      expect(idsOf(after)).toEqual([...idsOf(before), ...wanted].sort())

      // Only one of the old issues has a new event.
      const named = Object.entries(before).filter(([name]) => name !== 'errors')
      const reopened = named.filter(([, seen]) => titleOf(seen) === reopenedTitle)
      expect(reopened).toHaveLength(1)
      for (const [name, seen] of named) {
        if (titleOf(seen) === reopenedTitle) expect(after[name]).toMatchObject({ count: '3', userCount: 1 })
        else expect([name, after[name]]).toEqual([name, seen])
      }
      const fresh = Object.entries(after).filter(([name]) => !(name in before))
      expect(fresh.map(([, seen]) => titleOf(seen)).sort()).toEqual(freshTitles)

      // Accounts, keys and source maps still work.
      const member = await signInVisitor(url, 'grace@example.com', 'correct horse')
      expect((await member.get('/acme/issues')).status).toBe(200)
      const dsn = recorded.dsn.replace(/@[^/]+/, `@${new URL(url).host}`)
      const { frames } = readBuiltCart('vite', 'https://shop.example/cart.js')
      const sent = await postEnvelope(dsn, {
        platform: 'javascript',
        release: 'shop@1.0.0',
        exception: { values: [{ type: 'RangeError', value: 'before', stacktrace: { frames } }] },
      })
      await until(async () => (await listIssueCounts({ url, token })).get('RangeError: before') === 2)
      const headers = { Authorization: `Bearer ${token}` }
      const mapped = await fetch(`${url}/api/0/projects/acme/web/events/${sent}/`, { headers })
      expect(await mapped.text()).toContain('src/cart.js')
      expect(await hydrant.cli('doctor')).not.toMatch(/^fail/m)
    },
  )
})

async function startRecorded(
  version: string,
  kind: 'sqlite' | 'postgres',
  { secret }: RecordedFolder,
): Promise<Hydrant> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-upgrade-'))
  execFileSync('tar', ['-xzf', join(fixtures, version, `${kind}.tar.gz`), '-C', dataDir, '--no-same-owner'])
  // However old the recording is.
  const retention = { HYDRANT_RETENTION_DAYS: '3650', HYDRANT_RETENTION_ERRORS_DAYS: '3650' }
  const database = kind === 'postgres' ? { DATABASE_URL: await restore(version) } : {}
  const artifacts = { HYDRANT_RETENTION_ARTIFACTS_DAYS: '3650' }
  return startHydrant({ dataDir, env: { HYDRANT_SECRET: secret, ...retention, ...artifacts, ...database } })
}

async function restore(version: string): Promise<string> {
  const url = await postgres.createDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(gunzipSync(readFileSync(join(fixtures, version, 'postgres.sql.gz'))).toString())
  await client.end()
  return url
}

const titleOf = (seen: unknown): string => (seen as { title?: string }).title ?? ''

const idsOf = ({ errors }: Surface): string[] =>
  (errors as string[]).map(line => (JSON.parse(line) as { id: string }).id).sort()
