import { readFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readSlice } from '#inbox/read-log.ts'
import type { Seal } from '#inbox/seals.ts'
import { readEnd } from '#inbox/segment-ends.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { auditScene } from '../audit.ts'
import { encodeSent, idOf } from '../envelopes.ts'
import { live } from '../live.ts'
import type { Stage } from '../open-stage.ts'
import { type Scene, setScene } from '../set-scene.ts'

const MiB = 1024 * 1024

export function testPoison(scene: () => Stage): void {
  describe('records that digest cannot handle', () => {
    let stage: Stage
    beforeAll(() => {
      stage = scene()
    })

    test('a record that always ends the thread is finally set aside, and the others are stored', async () => {
      const scene = await setScene(stage)
      const end = readEnd(scene.inbox.end)
      const { records } = await readSlice(scene.folder, { segment: 1, position: 0 }, end, {
        maxRecords: 100,
        maxBytes: MiB,
        maxFiles: 1,
      })
      const [, poisonous] = records
      if (!poisonous) throw new Error('the first file has too few records')
      const isAlone = (seal: Seal | undefined) =>
        seal?.start === poisonous.at.position && seal.end === records[2]?.at.position
      let suspectBatch: number | null = null
      let lives = 0
      for (let isDead = true; isDead && lives < 10; lives++) {
        // Only a record that was alone in its batch may be set aside.
        const isSetAside = suspectBatch !== null && isAlone(lastSeal(scene.folder, suspectBatch))
        isDead = false
        await live(stage, scene, {
          poison: {
            suspect: suspectBatch === null ? null : { batch: suspectBatch, record: null, why: 'ended_thread' },
            endsThread: batch => {
              const seal = lastSeal(scene.folder, batch)
              const holdsPoison =
                seal?.segment === 1 && seal.start <= poisonous.at.position && poisonous.at.position < seal.end
              if (!holdsPoison || (isSetAside && batch === suspectBatch)) return false
              isDead = true
              suspectBatch = batch
              return true
            },
          },
        }).catch(() => undefined)
      }
      expect(lives).toBe(4)
      await scene.inbox.close()
      const acknowledged = scene.sent.filter(sent => sent.kind !== 'spans')
      expect(await auditScene(stage, scene, acknowledged)).toEqual([])
      const outcomes = await stage.telemetry.query({
        query: `SELECT reason FROM outcomes WHERE project_id = ${scene.projectId} ORDER BY reason LIMIT 10`,
        schema: z.object({ reason: z.string() }),
      })
      expect(outcomes.map(row => row.reason)).toEqual(['duplicate', 'unreadable'])
    })

    function lastSeal(folder: string, batch: number): Seal | undefined {
      const lines = readFileSync(join(folder, 'seals.log'), 'utf8').trim().split('\n')
      const seals = lines.flatMap(
        line => (JSON.parse(line.slice(0, line.lastIndexOf(' '))) as { seal?: Seal }).seal ?? [],
      )
      return seals.findLast(seal => seal.batch === batch)
    }

    test('a missing spooled body becomes an outcome and does not block other records', async () => {
      const scene = await setScene(stage)
      await rm(await appendSpooled(scene, idOf(0, 0)))
      await live(stage, scene)
      await scene.inbox.close()
      expect(await auditScene(stage, scene)).toEqual([])
    })

    test('a spooled body is deleted although the thread ended right after the commit of its batch', async () => {
      const left: string[][] = []
      let lastCommit: number | null = null
      for (const _ of ['undisturbed', 'ended']) {
        const scene = await setScene(stage)
        await appendSpooled(scene, idOf(scene.projectId, 20))
        if (lastCommit !== null) await live(stage, scene, { fault: { step: lastCommit, mode: 'die after' } })
        const steps = await live(stage, scene)
        lastCommit = steps.lastIndexOf('commit')
        await scene.inbox.close()
        left.push(await readdir(join(scene.folder, 'spool')))
      }
      expect(left).toEqual([[], []])
    })

    /** A record with a spooled body, in the last file of the scene. */
    async function appendSpooled({ projectId, inbox, folder }: Scene, id: string): Promise<string> {
      const spool = await inbox.spool()
      await spool.write(encodeSent({ kind: 'event', id, attachmentBytes: 9_000 }, Date.now()))
      const finished = await spool.finish()
      const head = { projectId, keyId: 1, receivedAt: Date.now(), clientAddress: '', userAgent: '', spool: finished }
      await inbox.append({ head, body: Buffer.alloc(0) })
      return join(folder, 'spool', finished.name)
    }

    test('a batch that is too large for the engine’s memory is written in pieces, each of them once', async () => {
      const scene = await setScene(stage)
      // As if only two rows fit into memory.
      const small: Telemetry = {
        ...stage.telemetry,
        insert: async insert =>
          rowsIn(insert.body) > 2
            ? { kind: 'refused', code: '241', message: 'memory limit exceeded' }
            : stage.telemetry.insert(insert),
      }
      await live({ ...stage, telemetry: small }, scene)
      await scene.inbox.close()
      expect(await auditScene(stage, scene)).toEqual([])
    })

    /** A block begins with its number of columns and rows, each as a variable-length integer. */
    function rowsIn(body: string | Buffer): number {
      if (typeof body === 'string') throw new Error('rows are sent as a block')
      const second = body.findIndex(byte => byte < 128) + 1
      return Math.min(body[second] ?? 0, 128)
    }

    test('a row that the engine refuses becomes an outcome and a dead letter, and the other rows are stored', async () => {
      const scene = await setScene(stage)
      // As if no table could hold the third log line.
      const picky: Telemetry = {
        ...stage.telemetry,
        insert: async insert =>
          insert.body.includes('line 2')
            ? { kind: 'refused', code: '6', message: 'Cannot parse' }
            : stage.telemetry.insert(insert),
      }
      await live({ ...stage, telemetry: picky }, scene)
      await scene.inbox.close()
      const stored = await stage.telemetry.query({
        query: `SELECT body FROM logs WHERE project_id = ${scene.projectId} ORDER BY body LIMIT 10`,
        schema: z.object({ body: z.string() }),
      })
      expect(stored.map(row => row.body)).toEqual(['line 0', 'line 1', 'line 3'])
      const outcomes = await stage.telemetry.query({
        query: `SELECT category, reason, toUInt32(quantity) AS quantity FROM outcomes WHERE project_id = ${scene.projectId} ORDER BY reason LIMIT 10`,
        schema: z.unknown(),
      })
      expect(outcomes).toEqual([
        { category: 'error', reason: 'duplicate', quantity: 1 },
        { category: 'log_item', reason: 'engine_refused', quantity: 1 },
      ])
      const day = new Date().toISOString().slice(0, 10)
      const letters = await readdir(join(stage.dataDir, 'blobs', 'dead-letters', day, String(scene.projectId)))
      expect(letters.filter(name => name.includes('-logs-'))).toHaveLength(1)
    })
  })
}
