/** Held browser errors that wait for their server error, also after the process was killed. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { holdMs } from '#digest/link/held-events.ts'
import { createIds } from '../create-ids.ts'
import { createShiftedClock, type ShiftedClock } from '../faults/shift-clock.ts'
import { type Hydrant, startHydrant, until } from '../start-hydrant.ts'
import { asAda } from './ada.ts'
import { postEnvelope } from './post-envelope.ts'
import { queryTelemetry } from './query-telemetry.ts'

const nextTrace = createIds('trace')
let hydrant: Hydrant
let dsn: string
let clock: ShiftedClock

beforeAll(async () => {
  clock = await createShiftedClock()
  hydrant = await startHydrant({ env: { HYDRANT_ROLES: 'ingest,jobs', ...clock.env } })
  dsn = (await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)).dsn
})
afterAll(async () => {
  await hydrant?.stop()
  await clock?.remove()
})

const row = z.object({ events: z.coerce.number(), groups: z.coerce.number() })
const query = 'SELECT count() AS events, uniqExact(group_hash) AS groups FROM events'
const count = async () => (await queryTelemetry(hydrant.dataDir, query, row))[0]
/** The engine starts some time after the ingest endpoint. */
const counts = (events: number) => async () => (await count().catch(() => null))?.events === events

const contexts = (trace_id: string) => ({ trace: { trace_id, span_id: 'b'.repeat(16) } })
const browsers = (trace: string) => ({
  platform: 'javascript',
  transaction: '/boom',
  contexts: contexts(trace),
  exception: { values: [{ type: 'Error', value: 'Minified React error #441; visit https://react.dev/errors/441' }] },
})
const servers = (trace: string) => ({
  platform: 'node',
  transaction: 'GET /boom',
  contexts: contexts(trace),
  exception: { values: [{ type: 'Error', value: 'The winter shelf could not be loaded' }] },
})

test('a held error survives a kill and joins the server’s issue when the server error arrives', async () => {
  const trace = nextTrace()
  await postEnvelope(dsn, browsers(trace))
  await hydrant.drained()
  expect(await count()).toEqual({ events: 0, groups: 0 })
  await hydrant.kill('SIGKILL')
  await hydrant.start()
  await postEnvelope(dsn, servers(trace))
  await until(counts(2))
  expect(await count()).toEqual({ events: 2, groups: 1 })
})

test('a held error without a server error becomes its own issue after a minute', async () => {
  await postEnvelope(dsn, browsers(nextTrace()))
  await hydrant.drained()
  expect((await count())?.events).toBe(2)
  await clock.set(holdMs + 1_000)
  await until(counts(3))
  expect(await count()).toEqual({ events: 3, groups: 2 })
})
