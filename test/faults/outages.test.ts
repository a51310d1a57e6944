/** Parts that hang or cannot be reached: ingest continues, nothing is lost or counted twice, and the part recovers by itself. */

import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startEngine } from '#engine/start-engine.ts'
import { openControl } from '#store/control/open-control.ts'
import { openTelemetry } from '#store/telemetry/telemetry.ts'
import { dataPaths } from '#supervisor/data-folder.ts'
import { startPostgres } from '../contract/start-postgres.ts'
import { postEvent } from '../e2e/post-event.ts'
import { gateTo } from '../gate-to.ts'
import { longTest } from '../long.ts'
import { type Hydrant, type Provisioned, startHydrant, until } from '../start-hydrant.ts'
import { audit } from './audit.ts'
import { childIsBack, livesOf } from './children.ts'
import { idOf } from './envelopes.ts'
import { startLoad } from './load.ts'

const account = ['--org', 'acme', '--project', 'web', '--email', 'a@example.com', '--password', 'correct horse battery']

let hydrant: Hydrant
let provisioned: Provisioned
beforeAll(async () => {
  hydrant = await startHydrant()
  provisioned = await hydrant.init(...account)
  await until(() => livesOf(hydrant, 'engine').length > 0 && livesOf(hydrant, 'web').length > 0)
})
afterAll(() => hydrant?.stop())

test('a hanging engine and web process are restarted while events are accepted', async () => {
  const pids = (['engine', 'web'] as const).map(name => livesOf(hydrant, name).at(-1) ?? 0)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  const { id: projectId } = provisioned.project
  const publicKey = new URL(provisioned.dsn).username
  const load = startLoad({ url: hydrant.url, projectId, publicKey, seed: 31, pauseMs: 400 }) // for half a minute
  await Promise.all([childIsBack(hydrant, 'engine', 1), childIsBack(hydrant, 'web', 1)])
  await load.stop()
  expect(load.book.uncertain).toEqual([])
  const metrics = await hydrant.metrics()
  expect(metrics.get('hydrant_child_restarts_total{child="engine",reason="hung"}')).toBe(1)
  expect(metrics.get('hydrant_child_restarts_total{child="web",reason="hung"}')).toBe(1)
  expect(await (await fetch(`${hydrant.url}/readyz`)).text()).toBe('ready\n')
  expect((await fetch(hydrant.url)).status).toBeLessThan(500)
  await hydrant.drained()
  expect(await audit(hydrant.dataDir, projectId, load.book)).toEqual([])
})

longTest(
  'events with known keys are accepted while PostgreSQL is down, at start and later, and are counted once afterwards',
  async () => {
    const postgres = await startPostgres()
    const gate = await gateTo(await postgres.createDatabase())
    await gate.open()
    const node = await startHydrant({ env: { DATABASE_URL: gate.url, HYDRANT_ROLES: 'ingest' } })
    try {
      const { dsn } = await node.init(...account)
      const stranger = dsn.replace(/\/\/\w+@/, `//${'0'.repeat(32)}@`)
      const ids = [1, 2, 3, 4].map(number => idOf(57, number))
      const [first = '', second = '', third = '', fourth = ''] = ids
      await until(async () => (await postEvent(dsn, first)) === 200)
      await until(() => existsSync(join(node.dataDir, 'keys.json')))
      expect(await postEvent(stranger, idOf(57, 9))).toBe(403)

      await gate.close()
      expect(await postEvent(dsn, second)).toBe(200)
      await until(async () => (await postEvent(stranger, idOf(57, 9))) === 503)
      await node.kill()
      await node.start()
      expect(await postEvent(dsn, third)).toBe(200)
      expect(await postEvent(stranger, idOf(57, 9))).toBe(503)
      expect(await (await fetch(`${node.url}/readyz`)).text()).toContain('control database: not answering')

      await gate.open()
      await until(async () => !(await (await fetch(`${node.url}/readyz`)).text()).includes('control'))
      expect(await postEvent(dsn, fourth)).toBe(200)
      await until(async () => (await postEvent(stranger, idOf(57, 9))) === 403)
      const control = openControl({ dataDir: node.dataDir, databaseUrl: gate.url })
      const count = () => control.db.selectFrom('issue_hash').select('event_count').execute()
      await until(async () => (await count()).reduce((sum, row) => sum + Number(row.event_count), 0) >= ids.length)
      expect((await count()).reduce((sum, row) => sum + Number(row.event_count), 0)).toBe(ids.length)
      await control.close()
    } finally {
      await node.stop()
      await gate.close()
      await postgres.stop()
    }
  },
)

longTest(
  'events are accepted while ClickHouse is down, at start and later and after settings change, and are stored once afterwards',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hydrant-clickhouse-'))
    // The embedded engine speaks ClickHouse's protocol: started by us, it stands for a server elsewhere.
    const { telemetry: dataPath, engineSocket: socketPath } = dataPaths(folder)
    const server = await startEngine({ dataPath, socketPath, log: () => undefined })
    const gate = await gateTo('http://127.0.0.1:8123', () => connect(socketPath))
    const node = await startHydrant({ env: { CLICKHOUSE_URL: gate.url, HYDRANT_ROLES: 'ingest' } })
    const telemetry = openTelemetry({ kind: 'socket', socketPath })
    const readyz = async () => (await fetch(`${node.url}/readyz`)).text()
    const isAway = async () => (await readyz()).includes('ClickHouse: not answering')
    try {
      const { dsn } = await node.init(...account)
      const ids = [1, 2, 3, 4, 5].map(number => idOf(58, number))
      const [first = '', second = '', third = '', fourth = '', fifth = ''] = ids
      await until(async () => (await postEvent(dsn, first)) === 200)
      expect(await readyz()).toBe('ready\nClickHouse: not answering\n')

      await gate.open()
      await until(async () => !(await isAway()))
      await node.drained()
      await gate.close()
      expect(await postEvent(dsn, second)).toBe(200)
      await until(isAway)
      expect((await node.metrics()).get('hydrant_engine_up')).toBe(0)
      expect(await postEvent(dsn, third)).toBe(200)

      // Another address, and for a while no part in ingest: what waits is not touched.
      await node.kill()
      Object.assign(node.env, { HYDRANT_URL: 'https://elsewhere.example', HYDRANT_ROLES: 'jobs' })
      await node.start()
      expect(await postEvent(dsn, fourth)).toBe(503)
      await node.kill()
      node.env.HYDRANT_ROLES = 'ingest,jobs'
      await node.start()
      await until(async () => (await postEvent(dsn, fourth)) === 200)
      await gate.open()
      expect(await postEvent(dsn, fifth)).toBe(200)
      await until(async () => !(await isAway()))
      await node.drained()
      const stored = await telemetry.query({
        query: 'SELECT toString(event_id) AS id, count() AS rows FROM events GROUP BY id LIMIT 100',
        schema: z.object({ id: z.string(), rows: z.coerce.number() }),
      })
      expect(stored.map(({ id, rows }) => `${id.replaceAll('-', '')} ${rows}`).sort()).toEqual(
        ids.map(id => `${id} 1`).sort(),
      )
      const control = openControl({ dataDir: node.dataDir })
      const counted = await control.db.selectFrom('issue_hash').select('event_count').execute()
      await control.close()
      expect(counted.reduce((sum, row) => sum + Number(row.event_count), 0)).toBe(ids.length)
    } finally {
      await node.stop()
      await gate.close()
      await telemetry.close()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
)
