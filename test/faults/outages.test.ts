/** Parts that are away without having ended: ingest goes on, nothing is lost or doubled, and the part comes back by itself. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Hydrant, type Provisioned, startHydrant, until } from '../start-hydrant.ts'
import { audit } from './audit.ts'
import { childIsBack, livesOf } from './children.ts'
import { startLoad } from './load.ts'

let hydrant: Hydrant
let provisioned: Provisioned
beforeAll(async () => {
  hydrant = await startHydrant()
  provisioned = await hydrant.init(
    '--org',
    'acme',
    '--project',
    'web',
    '--email',
    'a@example.com',
    '--password',
    'correct horse battery',
  )
  await until(() => livesOf(hydrant, 'engine').length > 0 && livesOf(hydrant, 'web').length > 0, 60_000)
}, 120_000)
afterAll(() => hydrant?.stop())

test('an engine and pages that hang are ended and started again, while events are accepted', async () => {
  const pids = (['engine', 'web'] as const).map(name => livesOf(hydrant, name).at(-1) ?? 0)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  const { id: projectId } = provisioned.project
  const publicKey = new URL(provisioned.dsn).username
  const load = startLoad({ url: hydrant.url, projectId, publicKey, seed: 31 })
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
}, 240_000)
