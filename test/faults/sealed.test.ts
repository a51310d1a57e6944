import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { readEnd } from '#inbox/durable-end.ts'
import { readSlice } from '#inbox/read-log.ts'
import { listSegments } from '#inbox/segments.ts'
import { withIndexView } from '../event-index-view.ts'
import { audit } from './audit.ts'
import { encodeSent, idOf } from './envelopes.ts'
import { live } from './live.ts'
import { openStage, type Stage } from './open-stage.ts'
import { type Scene, setScene } from './set-scene.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

const faults = ({ projectId, sent }: Scene) =>
  audit(stage.dataDir, projectId, { acknowledged: sent, uncertain: [], refused: [], repeats: 1 })

test('a batch that is finished under other retention settings is stored and counted once', async () => {
  const inserts = (await live(stage, await setScene(stage))).flatMap((step, index) =>
    step.startsWith('insert') ? [index] : [],
  )
  for (const step of inserts) {
    const scene = await setScene(stage)
    await live(stage, scene, { fault: { step, mode: 'die after' } })
    await live(stage, scene, { retentionDays: { errors: 60, rest: 14 } })
    await scene.inbox.close()
    expect([step, await faults(scene)]).toEqual([step, []])
  }
}, 300_000)

test('a batch that an older version sealed and wrote in part is finished under its old id', async () => {
  for (const step of [1, 2, 3]) {
    const scene = await setScene(stage)
    const [segment = 0] = await listSegments(scene.folder)
    const bound = { maxRecords: 1_000, maxBytes: 1e9, maxFiles: 1 }
    const { next } = await readSlice(scene.folder, { segment, position: 0 }, readEnd(scene.inbox.end), bound)
    const text = `1 ${segment} 0 ${next.position}`
    await writeFile(join(scene.folder, 'seals.log'), `${text} ${crc32(text).toString(16)}\n`)
    await live(stage, scene, { fault: { step, mode: 'die after' } })
    await live(stage, scene)
    await scene.inbox.close()
    expect([step, await faults(scene)]).toEqual([step, []])
    const ids = await stage.telemetry.query({
      query: `SELECT DISTINCT batch_id AS id FROM events WHERE project_id = ${scene.projectId} ORDER BY id LIMIT 10`,
      schema: z.object({ id: z.string() }),
    })
    expect(ids.map(({ id }) => id.replace(scene.inbox.id, 'inbox'))).toEqual([
      'inbox:1',
      expect.stringMatching(/^inbox:2:\d+-\d+-\d+-\d+-[0-9a-f]{16}$/),
    ])
  }
}, 300_000)

test('a batch whose events an older version stored and indexed before it ended is indexed once', async () => {
  const undisturbed = await setScene(stage)
  const steps = await live(stage, undisturbed)
  await undisturbed.inbox.close()
  const scene = await setScene(stage)
  const fault = { step: steps.indexOf('insert events'), mode: 'die after' } as const
  await withIndexView(stage.telemetry, () => live(stage, scene, { fault }))
  await live(stage, scene)
  await scene.inbox.close()
  expect(await faults(scene)).toEqual([])
})

test('a restored control database goes on behind what is stored, and nothing is lost or doubled', async () => {
  const scene = await setScene(stage)
  await live(stage, scene)
  await restoreEmpty(scene)
  const later = { kind: 'event', id: idOf(scene.projectId, 99), attachmentBytes: 0 } as const
  const head = { projectId: scene.projectId, keyId: 1, receivedAt: Date.now(), clientAddress: '', userAgent: '' }
  await scene.inbox.append({ head, body: encodeSent(later, Date.now()) })
  await live(stage, scene)
  await scene.inbox.close()
  const stored = await stage.telemetry.query({
    query: `SELECT toString(event_id) AS id, count() AS rows FROM events WHERE project_id = ${scene.projectId} GROUP BY id LIMIT 100`,
    schema: z.object({ id: z.string(), rows: z.coerce.number() }),
  })
  const events = [...scene.sent.filter(({ kind }) => kind === 'event'), later]
  expect(stored.map(({ id }) => id.replaceAll('-', '')).sort()).toEqual(events.map(({ id }) => id).sort())
  expect(stored.every(({ rows }) => rows === 1)).toBe(true)
})

/** As a copy from before the first batch has it. */
async function restoreEmpty({ projectId, inbox }: Scene): Promise<void> {
  const { db } = stage.control
  for (const table of ['issue_hash', 'issue', 'hash_hour', 'hash_day', 'seen_event', 'project_pulse'] as const)
    await db.deleteFrom(table).where('project_id', '=', projectId).execute()
  await db.deleteFrom('inbox_cursor').where('inbox_id', '=', inbox.id).execute()
}
