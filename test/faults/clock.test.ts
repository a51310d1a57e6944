import { join } from 'node:path'
import { expect } from 'vitest'
import { z } from 'zod'
import { openControl } from '#store/control/open-control.ts'
import { openTelemetry } from '#store/telemetry/telemetry.ts'
import { longTest } from '../long.ts'
import { startHydrant, until } from '../start-hydrant.ts'
import { waitAtLeast } from '../wait-limits.ts'
import { compareCounters } from './compare-counters.ts'
import { encodeSent, idOf } from './envelopes.ts'
import { createShiftedClock } from './shift-clock.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const publicKey = 'c'.repeat(32)
const projectId = 55
const owner = ['--org', 'acme', '--project', 'web', '--email', 'owner@acme.dev', '--password', 'correct horse battery']

longTest('no event is lost or counted twice when the wall clock jumps by hours or 40 days', async () => {
  const clock = await createShiftedClock()
  let offsetMs = 0
  const setClock = async (ms: number) => {
    await clock.set(ms)
    offsetMs = ms
  }
  const hydrant = await startHydrant({
    env: {
      ...clock.env,
      HYDRANT_ROLES: 'ingest,jobs',
      HYDRANT_RETENTION_ERRORS_DAYS: '30',
    },
  })
  const unready: string[] = []
  let isWatching = true
  try {
    const key = ['--key', publicKey, '--project-id', String(projectId)]
    await hydrant.init(...owner, ...key)
    const address = `${hydrant.url}/api/${projectId}/envelope/?sentry_key=${publicKey}`
    await until(async () => (await fetch(address, { method: 'POST' })).status === 400)
    const watch = (async () => {
      while (isWatching) {
        const response = await fetch(`${hydrant.url}/readyz`)
        if (!response.ok) unready.push(`${response.status} ${await response.text()}`)
        else await response.text()
        await new Promise(resolve => setTimeout(resolve, 100))
      }
    })()
    const sent: string[] = []
    const send = async (count: number) => {
      for (let each = 0; each < count; each++) {
        const id = idOf(projectId, sent.length)
        const body = encodeSent({ kind: 'event', id, attachmentBytes: 0 }, Date.now() + offsetMs)
        const response = await fetch(address, { method: 'POST', body: new Uint8Array(body) })
        expect(response.status).toBe(200)
        await response.text()
        sent.push(id)
      }
    }
    // Each jump happens between two requests, so it may be inside a batch.
    await send(6)
    for (const jumpMs of [2 * hourMs, -2 * hourMs, 0, 2 * hourMs, 40 * dayMs]) {
      await setClock(jumpMs)
      await send(4)
    }
    await hydrant.drained()
    // Maintenance runs a minute after the start, by the clock that has jumped.
    await until(() => hydrant.output().includes('the clock has leapt'), waitAtLeast(90_000))
    await until(() => /maintenance done/.test(hydrant.output()))
    await send(4)
    await setClock(0)
    await send(4)
    await hydrant.drained()

    const telemetry = openTelemetry({ kind: 'socket', socketPath: join(hydrant.dataDir, 'run', 'engine.sock') })
    const control = openControl({ dataDir: hydrant.dataDir })
    try {
      const stored = await telemetry.query({
        query: "SELECT replaceAll(toString(event_id), '-', '') AS id FROM events LIMIT 1000",
        schema: z.object({ id: z.string() }),
      })
      expect(stored.map(({ id }) => id).sort()).toEqual(sent.toSorted())
      expect(await compareCounters(control, telemetry, projectId)).toEqual([])
    } finally {
      await control.close()
      await telemetry.close()
    }
    isWatching = false
    await watch
    expect(unready).toEqual([])
    expect(hydrant.output()).not.toContain('differed from the stored events')
  } finally {
    isWatching = false
    await hydrant.stop()
    await clock.remove()
  }
})
