import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { segmentName, segmentPath } from '#inbox/segments.ts'
import { audit } from './audit.ts'
import { live } from './live.ts'
import { openStage, type Stage } from './open-stage.ts'
import { setScene } from './set-scene.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

test('a flipped byte in the inbox costs its own record, which is counted and kept, and nothing behind it', async () => {
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
  // The scene sends its first event twice, the second time in the other file: that delivery counts now.
  const book = { acknowledged: [...rest, ...(lost ? [lost] : [])], uncertain: [], refused: [], repeats: 0 }
  expect(await audit(stage.dataDir, scene.projectId, book)).toEqual([])
})
