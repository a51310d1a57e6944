import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openControl } from '#store/control/open-control.ts'
import { startPostgres } from '../contract/start-postgres.ts'
import { childIsBack, killChild, livesOf } from '../faults/children.ts'
import { idOf } from '../faults/envelopes.ts'
import { longTest } from '../long.ts'
import { freePort, type Hydrant, type Provisioned, startHydrant, until } from '../start-hydrant.ts'
import { knowsKey } from './knows-key.ts'
import { postEvent } from './post-event.ts'
import { queryTelemetry } from './query-telemetry.ts'
import { runProgram } from './run-program.ts'

const owner = ['--org', 'acme', '--email', 'owner@acme.dev', '--password', 'correct horse battery']
const metricsToken = 'a-token-for-the-metrics'
let lastNumber = 0
const nextId = () => idOf(3, ++lastNumber)

const storedIds = async (dataDir: string): Promise<string[]> =>
  (
    await queryTelemetry(
      dataDir,
      'SELECT toString(event_id) AS id FROM events ORDER BY id LIMIT 1000',
      z.object({ id: z.string() }),
    )
  ).map(row => row.id.replaceAll('-', ''))

describe('a running Hydrant', () => {
  let hydrant: Hydrant
  let before: string
  const sent: string[] = []

  beforeAll(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-'))
    const made = await runProgram('src/cli/hydrant.ts', ['init', ...owner, '--project', 'early', '--json'], {
      HYDRANT_DATA_DIR: dataDir,
    })
    expect(made).toMatchObject({ code: 0, stderr: '' })
    before = (JSON.parse(made.stdout) as { dsn: string }).dsn
    hydrant = await startHydrant({ dataDir, env: { HYDRANT_METRICS_TOKEN: metricsToken } })
  })
  afterAll(() => hydrant?.stop())

  async function send(dsn: string): Promise<void> {
    const id = nextId()
    expect(await postEvent(dsn, id)).toBe(200)
    sent.push(id)
  }

  test('knows the keys that existed before it started', async () => {
    const { username, pathname } = new URL(before)
    await send(`http://${username}@${new URL(hydrant.url).host}${pathname}`)
  })

  test('learns of keys that another process creates, and init is idempotent', async () => {
    const flags = ['--org', 'acme', '--project', 'late']
    const first = JSON.parse(await hydrant.cli('init', '--json', ...flags)) as Provisioned
    await knowsKey(first.dsn)
    await send(first.dsn)
    const made = await countAccounts()
    expect(await hydrant.init(...flags)).toEqual(first)
    expect(await countAccounts()).toEqual(made)
    expect(made).toMatchObject({ organization: 1, member: 1 })
  })

  async function countAccounts(): Promise<Record<string, number>> {
    const control = openControl({ dataDir: hydrant.dataDir, databaseUrl: undefined })
    const counts: Record<string, number> = {}
    for (const table of ['organization', 'member', 'user', 'project', 'project_key', 'auth_token'] as const) {
      const { n } = await control.db
        .selectFrom(table)
        .select(eb => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      counts[table] = n
    }
    await control.close()
    return counts
  }

  longTest('adds members by the command line and explains invalid calls', async () => {
    expect(
      await hydrant.cli('user', 'add', '--email', 'new@acme.dev', '--role', 'viewer', '--password', 'another long one'),
    ).toContain('new@acme.dev is now viewer of acme')
    const wrong = [
      ['frobnicate'],
      ['init'],
      ['init', '--org', 'acme', '--project', 'x', '--project-id', 'seven'],
      ['user', 'add', '--email', 'x@acme.dev', '--role', 'king'],
      ['init', '--nonsense'],
    ]
    for (const args of wrong) {
      const { code, stderr } = await runProgram('src/cli/hydrant.ts', args, hydrant.env)
      expect([args, code, stderr.length > 20]).toEqual([args, 2, true])
    }
  })

  test('has health endpoints, and metrics for this machine or with the token only', async () => {
    const status = async (path: string, headers: Record<string, string> = {}) =>
      (await fetch(hydrant.url + path, { headers })).status
    expect([await status('/healthz'), await status('/readyz'), await status('/metrics')]).toEqual([200, 200, 200])
    const forwarded = { 'x-forwarded-for': '203.0.113.9' }
    expect(await status('/metrics', forwarded)).toBe(403)
    expect(await status('/metrics', { ...forwarded, authorization: 'Bearer wrong-token-entirely' })).toBe(403)
    expect(await status('/metrics', { ...forwarded, authorization: `Bearer ${metricsToken}` })).toBe(200)
    await until(async () => (await hydrant.metrics()).get('hydrant_engine_up') === 1)
    const names = new Set([...(await hydrant.metrics()).keys()].map(name => name.split('{')[0]))
    for (const name of [
      'hydrant_ingest_acknowledged_total',
      'hydrant_inbox_backlog',
      'hydrant_inbox_oldest_seconds',
      'hydrant_engine_up',
    ])
      expect(names).toContain(name)
  })

  test('rejects a second Hydrant on its data folder or port with an explanation', async () => {
    const port = new URL(hydrant.url).port
    const sameFolder = await runProgram('src/main.ts', [], { ...hydrant.env, PORT: String(await freePort()) })
    expect([sameFolder.code, sameFolder.stderr]).toEqual([
      1,
      expect.stringContaining(`already running on ${hydrant.dataDir} (process ${hydrant.pid} on host `),
    ])
    const otherDir = await mkdtemp(join(tmpdir(), 'hydrant-'))
    const samePort = await runProgram('src/main.ts', [], {
      ...hydrant.env,
      HYDRANT_DATA_DIR: otherDir,
      HYDRANT_ROLES: 'jobs',
    })
    await rm(otherDir, { recursive: true, force: true, maxRetries: 5 })
    expect([samePort.code, samePort.stderr]).toEqual([1, expect.stringContaining(`Port ${port} is taken`)])
    await send(before.replace(new URL(before).host, new URL(hydrant.url).host))
  })

  test('restarts web and the engine when they die, without losing events', async () => {
    const dsn = before.replace(new URL(before).host, new URL(hydrant.url).host)
    await childIsBack(hydrant, 'web', 0)
    const [webLives, engineLives] = [livesOf(hydrant, 'web').length, livesOf(hydrant, 'engine').length]
    await killChild(hydrant, 'web')
    await killChild(hydrant, 'engine')
    await send(dsn)
    await childIsBack(hydrant, 'web', webLives)
    await childIsBack(hydrant, 'engine', engineLives)
    expect((await fetch(`${hydrant.url}/setup`, { redirect: 'manual' })).status).toBeLessThan(500)
    await hydrant.drained()
    expect(await storedIds(hydrant.dataDir)).toEqual([...sent].sort())
  })

  test('drains and exits with 0 on SIGTERM, exits with 130 on a second SIGINT, and keeps accepted events', async () => {
    const dsn = before.replace(new URL(before).host, new URL(hydrant.url).host)
    expect(await hydrant.kill('SIGTERM')).toBe(0)
    expect(statSync(join(hydrant.dataDir, 'control.db-wal'), { throwIfNoEntry: false })?.size ?? 0).toBe(0)
    await hydrant.start()
    // The engine has not started yet, so there is something to wait for.
    await send(dsn)
    // Two that follow each other closely count as one, so it is sent until it is heard.
    let isOver = false
    const ended = hydrant.kill('SIGINT').finally(() => {
      isOver = true
    })
    await until(() => isOver || !process.kill(hydrant.pid, 'SIGINT'))
    expect(await ended).toBe(130)
    await hydrant.start()
    await until(async () => (await hydrant.metrics()).get('hydrant_engine_up') === 1)
    await hydrant.drained()
    expect(await storedIds(hydrant.dataDir)).toEqual([...sent].sort())
    expect(await hydrant.kill('SIGINT')).toBe(0)
  })
})

test('lists all invalid settings and exits with 78', async () => {
  const wrong = {
    PORT: 'eighty',
    HYDRANT_URL: 'not a url',
    HYDRANT_ROLES: 'king',
    HYDRANT_SECRET: 'short',
    DATABASE_URL: 'mysql://root:hunter2@db/x',
  }
  const { code, stderr } = await runProgram('src/main.ts', [], wrong)
  expect(code).toBe(78)
  expect(stderr).toContain('5 environment variables are invalid')
  for (const name of Object.keys(wrong)) expect(stderr).toContain(`  ${name}: `)
  expect(stderr).not.toContain('hunter2')
})

longTest('with DATABASE_URL an error becomes an issue in PostgreSQL, and none in SQLite', async () => {
  const postgres = await startPostgres()
  const databaseUrl = await postgres.createDatabase()
  const hydrant = await startHydrant({ env: { DATABASE_URL: databaseUrl, HYDRANT_ROLES: 'ingest,jobs' } })
  try {
    const { dsn } = await hydrant.init(...owner, '--project', 'web')
    const id = nextId()
    await until(async () => (await postEvent(dsn, id)) === 200)
    await hydrant.drained()
    const control = openControl({ dataDir: hydrant.dataDir, databaseUrl })
    const issues = await control.db
      .selectFrom('issue')
      .innerJoin('issue_hash', 'issue_id', 'issue.id')
      .select(['event_count', 'last_event_id', 'number'])
      .execute()
    await control.close()
    expect(issues).toEqual([{ event_count: 1, last_event_id: id, number: 1 }])
    expect(await storedIds(hydrant.dataDir)).toEqual([id])
  } finally {
    await hydrant.stop()
    await postgres.stop()
  }
})
