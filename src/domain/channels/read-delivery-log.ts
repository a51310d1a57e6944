import type { Viewer } from '#domain/access/viewer.ts'

export const deliveryPageRows = 500

/** Every attempt that is kept, oldest first, page by page: a log may have more rows than fit into memory. */
export async function* readDeliveryLog(viewer: Viewer) {
  for (let after = 0; ; ) {
    const rows = await viewer.control
      .deliveries()
      .select([
        'delivery.id',
        'delivery.at',
        'delivery.outbox_id as message',
        'channel.name as channel',
        'channel.kind',
        'delivery.title',
        'delivery.attempt',
        'delivery.outcome',
        'delivery.status',
        'delivery.latency_ms as latencyMs',
        'delivery.response',
      ])
      .where('delivery.id', '>', after)
      .orderBy('delivery.id')
      .limit(deliveryPageRows)
      .execute()
    for (const { at, ...row } of rows) yield { ...row, at: new Date(at).toISOString() }
    const last = rows.at(-1)
    if (last === undefined || rows.length < deliveryPageRows) return
    after = last.id
  }
}
