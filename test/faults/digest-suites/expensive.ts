import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readCursor } from '#digest/cursor.ts'
import { noIssueLimits } from '#domain/issues/counters/issue-quota.ts'
import { readSlice } from '#inbox/read-log.ts'
import { readEnd } from '#inbox/segment-ends.ts'
import { dataPaths } from '#supervisor/data-folder.ts'
import { startDigestThread } from '#supervisor/digest-thread.ts'
import { planMemory } from '#supervisor/memory-plan.ts'
import { longTest } from '../../long.ts'
import { auditScene } from '../audit.ts'
import { live } from '../live.ts'
import type { Stage } from '../open-stage.ts'
import { type Scene, setScene } from '../set-scene.ts'

export function testExpensive(scene: () => Stage): void {
  describe('expensive records', () => {
    let stage: Stage
    beforeAll(() => {
      stage = scene()
    })

    test('a record that takes too much CPU time is set aside, and the others of its batch are stored once', async () => {
      const scene = await setScene(stage)
      const end = readEnd(scene.inbox.end)
      const restarts: string[] = []
      const thread = startDigestThread({
        entry: new URL('../expensive-worker.ts', import.meta.url),
        budgetMs: 300,
        data: {
          inboxFolder: scene.folder,
          inboxId: scene.inbox.id,
          end: scene.inbox.end,
          startedAt: end,
          spoolBefore: [],
          dataDir: stage.dataDir,
          databaseUrl: undefined,
          blobsUrl: undefined,
          telemetry: { kind: 'socket', socketPath: dataPaths(stage.dataDir).engineSocket },
          bound: planMemory(Number.POSITIVE_INFINITY, 'native').batch,
          retentionDays: { errors: 90, rest: 30 },
          scrubKey: 'key',
          issueLimits: noIssueLimits,
          logLevel: 'silent',
        },
        memory: planMemory(Number.POSITIVE_INFINITY, 'native'),
        log: pino({ level: 'silent' }),
        onMessage: () => undefined,
        onRestart: reason => restarts.push(reason),
      })
      thread.begin()
      await expect.poll(() => readCursor(stage.control, scene.inbox.id)).toMatchObject(end)
      await thread.stop()
      await scene.inbox.close()
      expect(restarts).toEqual(['record_timeout'])
      const acknowledged = scene.sent.filter(sent => sent.kind !== 'spans')
      expect(await auditScene(stage, scene, acknowledged)).toEqual([])
      expect(await outcomesOf(scene)).toEqual([
        { kind: 'invalid', reason: 'duplicate', quantity: 1 },
        { kind: 'invalid', reason: 'processing_timeout', quantity: 1 },
      ])
      const day = new Date().toISOString().slice(0, 10)
      const letters = await readdir(join(stage.dataDir, 'blobs', 'dead-letters', day, String(scene.projectId)))
      expect(letters).toHaveLength(1)
    })

    longTest('a partly written batch is never cut because of its CPU time', async () => {
      const steps = await live(stage, await setScene(stage))
      for (const step of [steps.indexOf('insert spans'), steps.indexOf('commit') - 1]) {
        const scene = await setScene(stage)
        const [, record] = await recordsOf(scene)
        if (!record) throw new Error('the first file has too few records')
        await live(stage, scene, { fault: { step, mode: 'die after' } })
        const { batch } = await readCursor(stage.control, scene.inbox.id)
        const suspect = { batch: batch + 1, record: record.at, why: 'too_expensive' } as const
        await live(stage, scene, { poison: { suspect, endsThread: () => false } })
        await scene.inbox.close()
        expect([step, await auditScene(stage, scene)]).toEqual([step, []])
      }
    })

    test('a partly written batch that ends the thread is not cut, and no row is stored twice', async () => {
      const scene = await setScene(stage)
      const steps = await live(stage, await setScene(stage))
      const records = await recordsOf(scene)
      const [, spans] = records
      if (!spans) throw new Error('the first file has too few records')
      await live(stage, scene, { fault: { step: steps.indexOf('commit') - 1, mode: 'die after' } })
      const suspect = { batch: 1, record: spans.at, why: 'ended_thread' } as const
      await live(stage, scene, { poison: { suspect, endsThread: () => false } })
      await scene.inbox.close()
      expect(await auditScene(stage, scene)).toEqual([])
    })

    async function recordsOf(scene: Scene) {
      const bound = { maxRecords: 100, maxBytes: 1e9, maxFiles: 1 }
      return (await readSlice(scene.folder, { segment: 1, position: 0 }, readEnd(scene.inbox.end), bound)).records
    }

    const outcomesOf = ({ projectId }: Scene) =>
      stage.telemetry.query({
        query: `SELECT outcome AS kind, reason, toUInt32(quantity) AS quantity FROM outcomes WHERE project_id = ${projectId} ORDER BY reason LIMIT 10`,
        schema: z.object({ kind: z.string(), reason: z.string(), quantity: z.number() }),
      })
  })
}
