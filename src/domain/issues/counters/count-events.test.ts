import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setUp } from '#domain/projects/provision.ts'
import type { GroupVersion } from '#grouping/fingerprint.ts'
import { groupEvent, groupVersions } from '#grouping/group-event.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { type Control, openControl } from '#store/control/open-control.ts'
import { makeError, makeFrame } from '../../../../test/make-event.ts'
import { makeGroupedEvent } from '../../../../test/make-grouped-event.ts'
import { countEvents } from './count-events.ts'

/** Invented versions: an older one that groups by type, and a newer one that groups by type and message. */
const byType: GroupVersion = {
  version: 0,
  fingerprintOf: event => ({
    strategy: 'error_and_message',
    parts: [{ kind: 'type', value: errorOf(event).type ?? '' }],
  }),
}
const byMessage: GroupVersion = {
  version: 4,
  fingerprintOf: event => {
    const { type = '', value = '' } = errorOf(event)
    return {
      strategy: 'error_and_message',
      parts: [
        { kind: 'type', value: type },
        { kind: 'message', value },
      ],
    }
  },
}
const errorOf = (event: StoredEvent) => event.exception?.values.at(-1) ?? {}

describe('a new grouping version', () => {
  let folder: string
  let control: Control
  let projectId: number
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hydrant-count-events-'))
    control = openControl({ dataDir: folder, databaseUrl: undefined })
    await migrateControl(control, { dataDir: folder, log: { info() {}, warn() {} } })
    const made = await setUp(
      { db: control.db, actor: 'test', now: () => 1 },
      {
        owner: { email: 'ada@example.com', password: 'correct horse' },
        organization: { slug: 'acme' },
        project: { slug: 'web' },
      },
    )
    if (!made.ok) throw new Error(made.code)
    projectId = made.project.id
  })
  afterEach(async () => {
    await control.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Counts one batch under the given versions, the current one first; returns the issue of the last event. */
  const count = async (versions: readonly GroupVersion[], ...events: StoredEvent[]) => {
    const groupedEvents = events.map(event => {
      const { version, hash, fallbacks } = groupEvent(event, versions)
      return makeGroupedEvent({ projectId, groupVersion: version, groupHash: hash, groupFallbacks: fallbacks })
    })
    const touched = await control.db.transaction().execute(trx => countEvents(trx, control.dialect, groupedEvents, 1))
    return touched.get(projectId)?.issueId ?? 0
  }
  const rowsOf = (issueId: number) =>
    control.db
      .selectFrom('issue_hash')
      .select(['group_version', 'event_count', 'home_issue_id'])
      .where('issue_id', '=', issueId)
      .orderBy('group_version')
      .orderBy('event_count')
      .execute()
  const countIssues = async () => (await control.db.selectFrom('issue').select('id').execute()).length

  const pay = makeError('Error', 'refused', [makeFrame()])
  const payLate = makeError('Error', 'too late', [makeFrame()])
  const ship = makeError('ShipError', 'lost', [makeFrame({ function: 'ship' })])

  it('adds its hash to the existing issue and moves no events', async () => {
    const old = await count([byType], pay, pay)
    const both = [...groupVersions, byType]
    expect(await count(both, pay)).toBe(old)
    expect(await count(both, pay)).toBe(old)
    expect(await rowsOf(old)).toEqual([
      { group_version: 0, event_count: 2, home_issue_id: null },
      { group_version: 3, event_count: 2, home_issue_id: null },
    ])
    expect(await countIssues()).toBe(1)
  })

  it('keeps events together that it would now separate', async () => {
    const old = await count(groupVersions, pay, payLate)
    const both = [byMessage, ...groupVersions]
    expect(await count(both, pay)).toBe(old)
    expect(await count(both, payLate)).toBe(old)
    expect((await rowsOf(old)).map(row => row.group_version)).toEqual([3, 4, 4])
  })

  it('puts events that it joins into the largest existing issue', async () => {
    const small = await count([byMessage], pay)
    const large = await count([byMessage], payLate, payLate)
    expect(small).not.toBe(large)
    expect(await count([...groupVersions, byMessage], pay, payLate)).toBe(large)
    expect(await countIssues()).toBe(2)
  })

  it('creates an issue with the next number for a new group', async () => {
    await count(groupVersions, pay)
    const fresh = await count([byMessage, ...groupVersions], ship)
    expect(await rowsOf(fresh)).toEqual([{ group_version: 4, event_count: 1, home_issue_id: null }])
    const numbers = await control.db.selectFrom('issue').select('number').orderBy('id').execute()
    expect(numbers).toEqual([{ number: 1 }, { number: 2 }])
  })

  it('keeps its issue when the old version is removed', async () => {
    const old = await count(groupVersions, pay)
    await count([byMessage, ...groupVersions], pay)
    expect(await count([byMessage], pay)).toBe(old)
  })

  it('follows a merge and has the same home issue as the old hash', async () => {
    const [a, b] = [await count(groupVersions, pay), await count(groupVersions, ship)]
    await control.db
      .updateTable('issue_hash')
      .set({ issue_id: a, home_issue_id: b })
      .where('issue_id', '=', b)
      .execute()
    expect(await count([byMessage, ...groupVersions], ship)).toBe(a)
    expect((await rowsOf(a)).filter(row => row.home_issue_id === b)).toHaveLength(2)
  })

  it('continues deploy skew in the issue of version 1 and joins what version 1 separated', async () => {
    const v1 = groupVersions.filter(({ version }) => version === 1)
    const chunk = { ...makeError('ChunkLoadError', 'Loading chunk 7 failed.'), release: 'shop@1' }
    const action = { ...makeError('Error', 'Failed to find Server Action "7f".'), release: 'shop@1' }
    const old = await count(v1, chunk)
    expect(await count(groupVersions, chunk)).toBe(old)
    expect(await count(groupVersions, action)).toBe(old)
  })
})
