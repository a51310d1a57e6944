/** A server that is asked for a file of an older build: the issue is that of the release before its own. */
import { expect, test } from 'vitest'
import { filterBatch } from '#digest/filter-batch.ts'
import { processRecord } from '#digest/process-record.ts'
import { skewGroup } from '#grouping/group-event.ts'
import { testContext } from '../make-record.ts'
import { readFrameworkCaptures } from '../read-framework-captures.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makeWorld } from './workflow-world.ts'

const noEngine = { query: () => Promise.resolve([]) }

onEachEngine(({ newAcme }) => {
  test('of several, the one that was seen last before it; without one, its own; and the same in a repeat', async () => {
    const world = await makeWorld(await newAcme())
    const prepare = (release: string, isRepeat = false) => {
      const records = (readFrameworkCaptures('rr').get('rr-skew-route') ?? []).map(({ head, body }) => ({
        head: { ...head, projectId: world.web },
        body: Buffer.from(body.toString().replaceAll('rr@1', release)),
      }))
      return filterBatch({
        control: world.control,
        telemetry: noEngine,
        inboxId: 'inbox',
        seal: { batch: 1, segment: 1, start: 0, endSegment: 1, end: 1 },
        records: records.map(record => ({ processed: processRecord(record, testContext), spool: null, receivedAt: 1 })),
        previous: null,
        mayHaveArrived: isRepeat,
        isRepeated: () => false,
      })
    }
    const groupOf = ({ rows, groupedEvents }: Awaited<ReturnType<typeof prepare>>) => {
      const [row] = rows.events.filter(({ title }) => title.startsWith('DeploySkew'))
      const grouped = groupedEvents.find(({ eventId }) => eventId === row?.event_id)
      expect([grouped?.groupHash, grouped?.title, grouped?.isSkew]).toEqual([row?.group_hash, row?.title, true])
      return { version: row?.group_version, hash: row?.group_hash, title: row?.title }
    }
    const seen = (version: string, first_seen: number) =>
      world.control.db.insertInto('project_release').values({ project_id: world.web, version, first_seen }).execute()
    expect(groupOf(await prepare('rr@3'))).toEqual(skewGroup('rr@3'))
    await seen('rr@1', 1_000)
    await seen('rr@2', 2_000)
    // The release of this batch is not recorded yet.
    expect(groupOf(await prepare('rr@3'))).toEqual(skewGroup('rr@2'))
    await seen('rr@3', 3_000)
    await seen('rr@4', 4_000)
    expect(groupOf(await prepare('rr@3'))).toEqual(skewGroup('rr@2'))
    expect(groupOf(await prepare('rr@1'))).toEqual(skewGroup('rr@1'))
    await prepare('rr@3')
    await world.control.db.deleteFrom('project_release').execute()
    expect(groupOf(await prepare('rr@3', true))).toEqual(skewGroup('rr@2'))
  })
})
