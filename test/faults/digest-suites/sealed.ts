import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import pino from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { processRecord } from '#digest/process-record.ts'
import { readSlice } from '#inbox/read-log.ts'
import { readEnd } from '#inbox/segment-ends.ts'
import { listSegments } from '#inbox/segments.ts'
import { reconcile } from '#jobs/reconcile/reconcile.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { withIndexView } from '../../event-index-view.ts'
import { longTest } from '../../long.ts'
import { auditScene } from '../audit.ts'
import { compareCounters } from '../compare-counters.ts'
import { encodeSent, idOf } from '../envelopes.ts'
import { live } from '../live.ts'
import type { Stage } from '../open-stage.ts'
import { type Scene, setScene } from '../set-scene.ts'

const silent = pino({ level: 'silent' })

export function testSealed(scene: () => Stage): void {
  describe('sealed batches', () => {
    let stage: Stage
    beforeAll(() => {
      stage = scene()
    })

    const faults = (scene: Scene) => auditScene(stage, scene)

    longTest('a batch that is finished under other retention settings is stored and counted once', async () => {
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
    })

    test('a batch whose events were stored under another grouping is counted under the groups that its rows have', async () => {
      const undisturbed = await setScene(stage)
      const steps = await live(stage, undisturbed)
      await undisturbed.inbox.close()
      const before = 'f'.repeat(32)
      const found: unknown[] = []
      for (const after of ['insert events', 'insert event_index']) {
        const scene = await setScene(stage)
        const hashes = await hashesIn(scene)
        // As a version with another grouping would have written them.
        const older: Telemetry = {
          ...stage.telemetry,
          insert: ({ body, ...insert }) =>
            stage.telemetry.insert({
              ...insert,
              body: hashes.reduce((text, hash) => replaceText(text, hash, before), body),
            }),
        }
        await live({ ...stage, telemetry: older }, scene, { fault: { step: steps.indexOf(after), mode: 'die after' } })
        await live(stage, scene)
        await scene.inbox.close()
        const counted = await stage.control.db
          .selectFrom('issue_hash')
          .select(['group_hash as hash', 'event_count'])
          .where('project_id', '=', scene.projectId)
          .orderBy('group_hash')
          .execute()
        for (const table of ['events', 'event_index'])
          found.push(
            await stage.telemetry.query({
              query: `SELECT group_hash AS hash, count() AS event_count FROM ${table} WHERE project_id = ${scene.projectId} GROUP BY hash ORDER BY hash LIMIT 10`,
              schema: z.object({ hash: z.string(), event_count: z.coerce.number() }),
            }),
          )
        expect(counted.map(({ hash }) => hash)).toContain(before)
        expect(found.splice(0)).toEqual([counted, counted])
      }
    })

    async function hashesIn({ folder, inbox }: Scene): Promise<string[]> {
      const bound = { maxRecords: 1_000, maxBytes: 1e9, maxFiles: 9 }
      const { records } = await readSlice(folder, { segment: 0, position: 0 }, readEnd(inbox.end), bound)
      const context = { recordId: '', retentionDays: { errors: 90, rest: 30 }, spoolFolder: '' }
      return records.flatMap(({ record }) =>
        processRecord(record, context).groupedEvents.map(({ groupHash }) => groupHash),
      )
    }

    function replaceText(body: string | Buffer, from: string, to: string): string | Buffer {
      if (typeof body === 'string') return body.replaceAll(from, to)
      return Buffer.from(body.toString('latin1').replaceAll(from, to), 'latin1')
    }

    longTest('a batch that an older version sealed and wrote in part is finished under its old id', async () => {
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
    })

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

    test('digest with a restored control database continues after the stored batches, and nothing is lost or stored twice', async () => {
      const scene = await setScene(stage)
      await live(stage, scene)
      await restoreEmpty(scene)
      const later = { kind: 'event', id: idOf(scene.projectId, 99), attachmentBytes: 0 } as const
      const head = { projectId: scene.projectId, keyId: 1, receivedAt: Date.now(), clientAddress: '', userAgent: '' }
      await scene.inbox.append({ head, body: encodeSent(later, Date.now()) })
      await live(stage, scene)
      const options = { ...stage, layout: { kind: 'single' }, retentionDays: 90, holder: 'test', log: silent } as const
      await reconcile({ ...options, isStopping: () => false }, Date.now)
      expect(await compareCounters(stage.control, stage.telemetry, scene.projectId)).toEqual([])
      // The ids are known again, so a second delivery is a duplicate.
      const [first] = scene.sent
      if (first) await scene.inbox.append({ head, body: encodeSent(first, Date.now()) })
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

    /** As in a backup from before the first batch. */
    async function restoreEmpty({ projectId, inbox }: Scene): Promise<void> {
      const { db } = stage.control
      for (const table of ['issue_hash', 'issue', 'hash_hour', 'hash_day', 'seen_event', 'project_stats'] as const)
        await db.deleteFrom(table).where('project_id', '=', projectId).execute()
      await db.deleteFrom('inbox_cursor').where('inbox_id', '=', inbox.id).execute()
    }
  })
}
