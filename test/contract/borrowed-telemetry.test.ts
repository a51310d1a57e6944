import { expect, test } from 'vitest'
import { z } from 'zod'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { describeOther } from './scope/other-organization.ts'
import { borrowTelemetry } from './start-telemetry.ts'

test('what an earlier file has stored and deleted does not count as a repeat in the next one', async () => {
  const rows = describeOther().rows.attachments ?? []
  for (const _ of [1, 2]) {
    const { telemetry, stop } = await borrowTelemetry()
    await writeBatch(telemetry, { table: 'attachments', rows, batchId: '1', mayHaveArrived: false, isSuspect: false })
    const stored = { query: 'SELECT count() AS n FROM attachments', schema: z.object({ n: z.coerce.number() }) }
    expect(await telemetry.query(stored)).toEqual([{ n: rows.length }])
    await telemetry.command('ALTER TABLE attachments DELETE WHERE 1 SETTINGS mutations_sync = 2')
    await stop()
  }
})
