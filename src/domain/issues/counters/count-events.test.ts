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

/** Versions that never were: the one before groups by type alone, the one to come by type and message. */
const byType: GroupVersion = {
  version: 0,
  fingerprintOf: event => ({
    strategy: 'error_and_message',
    parts: [{ kind: 'type', value: errorOf(event).type ?? '' }],
  }),
}
const byMessage: GroupVersion = {
  version: 3,
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
    folder = mkdtempSync(join(tmpdir(), 'hydrant-sightings-'))
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

  /** One batch under the given versions, the current one first; gives the issue of the last event. */
  const see = async (versions: readonly GroupVersion[], ...events: StoredEvent[]) => {
    const groupedEvents = events.map(event => {
      const { version, hash, fallbacks } = groupEvent(event, versions)
      return makeGroupedEvent({ projectId, groupVersion: version, groupHash: hash, groupFallbacks: fallbacks })
    })
    const touched = await control.db.transaction().execute(trx => countEvents(trx, control.dialect, groupedEvents))
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

  it('adds its hash to the issue that the old one made, and moves nothing', async () => {
    const old = await see([byType], pay, pay)
    const both = [...groupVersions, byType]
    expect(await see(both, pay)).toBe(old)
    expect(await see(both, pay)).toBe(old)
    expect(await rowsOf(old)).toEqual([
      { group_version: 0, event_count: 2, home_issue_id: null },
      { group_version: 1, event_count: 2, home_issue_id: null },
    ])
    expect(await countIssues()).toBe(1)
  })

  it('keeps together what it would tell apart today', async () => {
    const old = await see(groupVersions, pay, payLate)
    const both = [byMessage, ...groupVersions]
    expect(await see(both, pay)).toBe(old)
    expect(await see(both, payLate)).toBe(old)
    expect((await rowsOf(old)).map(row => row.group_version)).toEqual([1, 3, 3])
  })

  it('puts what it takes for one into the largest of the issues that there are', async () => {
    const small = await see([byMessage], pay)
    const large = await see([byMessage], payLate, payLate)
    expect(small).not.toBe(large)
    expect(await see([...groupVersions, byMessage], pay, payLate)).toBe(large)
    expect(await countIssues()).toBe(2)
  })

  it('makes an issue for what is new, whose number follows the last one', async () => {
    await see(groupVersions, pay)
    const fresh = await see([byMessage, ...groupVersions], ship)
    expect(await rowsOf(fresh)).toEqual([{ group_version: 3, event_count: 1, home_issue_id: null }])
    const numbers = await control.db.selectFrom('issue').select('number').orderBy('id').execute()
    expect(numbers).toEqual([{ number: 1 }, { number: 2 }])
  })

  it('survives the end of the old one', async () => {
    const old = await see(groupVersions, pay)
    await see([byMessage, ...groupVersions], pay)
    expect(await see([byMessage], pay)).toBe(old)
  })

  it('follows a merge, and its hash goes home with the one it stands for', async () => {
    const [a, b] = [await see(groupVersions, pay), await see(groupVersions, ship)]
    await control.db
      .updateTable('issue_hash')
      .set({ issue_id: a, home_issue_id: b })
      .where('issue_id', '=', b)
      .execute()
    expect(await see([byMessage, ...groupVersions], ship)).toBe(a)
    expect((await rowsOf(a)).filter(row => row.home_issue_id === b)).toHaveLength(2)
  })

  it('of deploy skew goes on in the issue of version 1, and what it told apart comes together there', async () => {
    const v1 = groupVersions.filter(({ version }) => version === 1)
    const chunk = { ...makeError('ChunkLoadError', 'Loading chunk 7 failed.'), release: 'shop@1' }
    const action = { ...makeError('Error', 'Failed to find Server Action "7f".'), release: 'shop@1' }
    const old = await see(v1, chunk)
    expect(await see(groupVersions, chunk)).toBe(old)
    expect(await see(groupVersions, action)).toBe(old)
  })
})
