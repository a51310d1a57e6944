import { expect, test } from 'vitest'
import { countEvents } from '#domain/issues/counters/count-events.ts'
import { makeGroupedEvent } from '../make-grouped-event.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makeWorld } from './workflow-world.ts'

const hashes = 40
const start = 1_794_700_000_000

onEachEngine(({ newAcme, dialect }) => {
  test.runIf(dialect === 'postgres')(
    'two nodes that meet the same new hashes at once count all users and the last event',
    async () => {
      const { control, web } = await makeWorld(await newAcme())
      const commit = (hash: number, node: number) =>
        control.db.transaction().execute(trx =>
          countEvents(
            trx,
            control.dialect,
            [
              makeGroupedEvent({
                projectId: web,
                groupHash: String(hash).padStart(32, '0'),
                eventId: String(node).repeat(32),
                userHash: String(node),
                timestamp: start + node,
              }),
            ],
            start,
          ),
        )
      for (let hash = 0; hash < hashes; hash++) await Promise.all([1, 2, 3, 4].map(node => commit(hash, node)))
      const rows = await control.db
        .selectFrom('issue_hash')
        .select(['event_count', 'user_count', 'last_seen', 'last_event_id'])
        .execute()
      expect(rows).toEqual(
        Array.from({ length: hashes }, () => ({
          event_count: 4,
          user_count: 4,
          last_seen: start + 4,
          last_event_id: '4'.repeat(32),
        })),
      )
    },
  )
})
