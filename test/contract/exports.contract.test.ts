/** Exports that are read page by page: complete and in order at every size around their pages. Those of logs are in `log-suites/exports.ts`. */
import { expect, test } from 'vitest'
import { readAuditLog } from '#domain/audit/list-audit.ts'
import { readDeliveryLog } from '#domain/channels/read-delivery-log.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import { makeDeliveryWorld } from '../channels/delivery-world.ts'
import { viewAs } from '../view-as.ts'
import { onEachEngine } from './on-each-engine.ts'

/** Of the audit log; that of deliveries is half of it. */
const page = 1_000

onEachEngine(({ newAcme }) => {
  async function open() {
    const world = await makeDeliveryWorld(await newAcme())
    const viewer = viewAs(
      { control: world.control },
      {
        projects: [{ id: world.web, slug: 'web', name: 'web', isInternal: false }],
        organization: { id: world.organizationId, slug: 'acme', name: '' },
        now: world.clock.now,
      },
    )
    return { world, db: world.control.db, viewer }
  }

  test('the audit log', async () => {
    const { world, db, viewer } = await open()
    const count = async (): Promise<number[]> => {
      const ids: number[] = []
      for await (const { id } of readAuditLog(viewer)) ids.push(id)
      expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b))
      return ids
    }
    const { id: _, ...entry } = await db.selectFrom('audit').selectAll().limit(1).executeTakeFirstOrThrow()
    const add = async (most: number): Promise<void> => {
      const before = (await count()).length
      const rows = Array.from({ length: most - before }, () => ({
        ...entry,
        organization_id: world.organizationId,
        position: null,
      }))
      for (const chunk of chunksOf(rows, 100)) await db.insertInto('audit').values(chunk).execute()
    }
    for (const size of [page - 1, page, page + 1, 2 * page, 2 * page + 1]) {
      await add(size)
      expect(await count()).toHaveLength(size)
    }
  })

  test('the delivery log', async () => {
    const { world, db, viewer } = await open()
    const channel_id = await world.addChannel('email', { to: 'members' })
    const count = async (): Promise<number[]> => {
      const attempts: number[] = []
      for await (const { attempt } of readDeliveryLog(viewer)) attempts.push(attempt)
      return attempts
    }
    const shared = {
      outbox_id: null,
      channel_id,
      at: world.clock.now,
      title: '',
      status: 200,
      latency_ms: 1,
      response: '',
    }
    let made = 0
    expect(await count()).toEqual([])
    for (const size of [1, page / 2 - 1, page / 2, page / 2 + 1, page, page + 1]) {
      const rows = Array.from({ length: size - made }, (_, index) => ({
        ...shared,
        attempt: made + index,
        outcome: 'sent' as const,
      }))
      for (const chunk of chunksOf(rows, 100)) await db.insertInto('delivery').values(chunk).execute()
      made = size
      expect(await count()).toEqual(Array.from({ length: size }, (_, index) => index))
    }
  })
})
