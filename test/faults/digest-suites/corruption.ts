import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { segmentName, segmentPath, spoolFolder } from '#inbox/segments.ts'
import { auditScene } from '../audit.ts'
import { encodeSent, idOf } from '../envelopes.ts'
import { live } from '../live.ts'
import type { Stage } from '../open-stage.ts'
import { setScene } from '../set-scene.ts'

const rounds = Number(process.env.HYDRANT_FAULT_ROUNDS ?? 3)

export function testCorruption(scene: () => Stage): void {
  describe('damaged files of the inbox', () => {
    let stage: Stage
    beforeAll(() => {
      stage = scene()
    })

    test('a flipped byte in the inbox only costs its own record, which is counted and kept', async () => {
      const scene = await setScene(stage)
      const [lost, ...rest] = scene.sent
      const path = segmentPath(scene.folder, 1)
      const bytes = await readFile(path)
      const at = bytes.indexOf('the round was killed')
      bytes[at] = (bytes[at] ?? 0) ^ 1
      await writeFile(path, bytes)
      await live(stage, scene)
      await scene.inbox.close()

      const outcomes = await stage.telemetry.query({
        query: `SELECT reason, toUInt32(sum(quantity)) AS n FROM outcomes WHERE project_id = ${scene.projectId} AND reason = 'inbox_damaged' GROUP BY reason LIMIT 10`,
        schema: z.object({ reason: z.string(), n: z.number() }),
      })
      expect(outcomes).toEqual([{ reason: 'inbox_damaged', n: 1 }])
      expect(await readdir(join(scene.folder, 'damaged'))).toEqual([segmentName(1)])
      expect(await readdir(join(stage.dataDir, 'blobs', 'dead-letters'))).toHaveLength(1)
      // The scene sends its first event twice, the second time in the other segment: that delivery counts now.
      const acknowledged = [...rest, ...(lost ? [lost] : [])]
      expect(await auditScene(stage, scene, acknowledged)).toEqual([])
    })

    test('damage that hides the project of a record is counted without a project and kept', async () => {
      const scene = await setScene(stage)
      const [lost, ...rest] = scene.sent
      const path = segmentPath(scene.folder, 1)
      const bytes = await readFile(path)
      const at = bytes.indexOf('{"projectId":')
      bytes[at] = (bytes[at] ?? 0) ^ 1
      await writeFile(path, bytes)
      await live(stage, scene)
      await scene.inbox.close()

      const [outcome] = await stage.telemetry.query({
        query: `SELECT toUInt32(sum(quantity)) AS n FROM outcomes WHERE project_id = 0 AND reason = 'inbox_damaged' LIMIT 1`,
        schema: z.object({ n: z.number() }),
      })
      expect(outcome).toEqual({ n: 1 })
      const acknowledged = [...rest, ...(lost ? [lost] : [])]
      expect(await auditScene(stage, scene, acknowledged)).toEqual([])
    })

    /** Each line damaged in turn, then all of them, an empty file, and no file. */
    async function damageSeals(folder: string, how: number): Promise<void> {
      const path = join(folder, 'seals.log')
      const lines = (await readFile(path, 'utf8')).split('\n')
      const flipped = lines.map((line, index) =>
        line !== '' && (index === how || how === 3) ? line.replace('"', "'") : line,
      )
      if (how < 4) await writeFile(path, flipped.join('\n'))
      else if (how === 4) await writeFile(path, '')
      else await rm(path)
    }

    test('with damaged seals, a half-written batch is repeated with the same records', async () => {
      const steps = await live(stage, await setScene(stage))
      const points = steps.flatMap((step, index) => (step.startsWith('insert') || step === 'commit' ? [index] : []))
      const all = points.flatMap(step => [1, 2, 3, 4, 5].map(how => ({ step, how })))
      const chosen = rounds > all.length ? all : all.filter((_, index) => index % Math.ceil(all.length / rounds) === 0)
      const found: string[] = []
      for (let begin = 0; begin < chosen.length; begin += 6) {
        const run = chosen.slice(begin, begin + 6).map(async ({ step, how }) => {
          const scene = await setScene(stage)
          await live(stage, scene, { fault: { step, mode: 'die after' } })
          await damageSeals(scene.folder, how)
          await live(stage, scene)
          await scene.inbox.close()
          return (await auditScene(stage, scene)).map(fault => `step ${step}, damage ${how}: ${fault}`)
        })
        found.push(...(await Promise.all(run)).flat())
      }
      expect(found).toEqual([])
    })

    test('a spooled body that is missing, truncated or changed is counted, and no other record is affected', async () => {
      const scene = await setScene(stage)
      const { projectId, folder, inbox } = scene
      const bodies: string[] = []
      for (const number of [50, 51, 52]) {
        const spool = await inbox.spool()
        await spool.write(encodeSent({ kind: 'event', id: idOf(projectId, number), attachmentBytes: 0 }, Date.now()))
        const body = await spool.finish()
        bodies.push(join(spoolFolder(folder), body.name))
        const head = { projectId, keyId: 1, receivedAt: Date.now(), clientAddress: '', userAgent: '', spool: body }
        await inbox.append({ head, body: Buffer.alloc(0) })
      }
      const [lost = '', cut = '', flipped = ''] = bodies
      await rm(lost)
      await truncate(cut, 40)
      const bytes = await readFile(flipped)
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
      await writeFile(flipped, bytes)
      await live(stage, scene)
      await inbox.close()
      const outcomes = await stage.telemetry.query({
        query: `SELECT reason, toUInt32(sum(quantity)) AS n FROM outcomes WHERE project_id = ${projectId} AND reason = 'inbox_damaged' GROUP BY reason LIMIT 10`,
        schema: z.object({ reason: z.string(), n: z.number() }),
      })
      expect(outcomes).toEqual([{ reason: 'inbox_damaged', n: 3 }])
      expect(await auditScene(stage, scene)).toEqual([])
    })
  })
}
