/** The project page counts by time of arrival, and the API over the whole life of an issue. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventListResponse } from '#api/events/list-events-response.ts'
import { issueTagResponse } from '#api/issues/issue-tag-response.ts'
import { countTags } from '#domain/issues/count-tags.ts'
import { findIssue, type Issue } from '#domain/issues/find-issue.ts'
import { countProjectItems } from '#domain/projects/list-projects.ts'
import { indexStoredEventsSql } from '#store/telemetry/write-events.ts'
import { createUuids } from '../create-ids.ts'
import { type Acme, openAcme } from './open-acme.ts'

const now = Date.now()
const dayMs = 86_400_000
const nextId = createUuids('received')
const hash = 'b'.repeat(32)
let acme: Acme
let issue: Issue

beforeAll(async () => {
  acme = await openAcme(now)
  const { control, projectId } = acme
  const { id } = await control.db
    .insertInto('issue')
    .values({
      project_id: projectId,
      number: 1,
      title: 'Error: old',
      culprit: '',
      kind: 'error',
      level: 'error',
      status: 'unresolved',
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await control.db
    .insertInto('issue_hash')
    .values({
      project_id: projectId,
      group_version: 1,
      group_hash: hash,
      issue_id: id,
      event_count: 4,
      first_seen: now - 29 * dayMs,
      last_seen: now - 1_000,
      first_release: '',
      last_release: '',
      last_event_id: '',
      user_sketch: new Uint8Array(),
      user_count: 0,
    })
    .execute()
  await sow()
  const found = await findIssue(acme.viewer, id)
  if (!found) throw new Error('no issue')
  issue = found
})

afterAll(() => acme?.stop())

async function insert(table: string, rows: Record<string, unknown>[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const body = rows.map(row => JSON.stringify(columns.map(column => row[column]))).join('\n')
  expect(await acme.telemetry.insert({ table, columns, body, token: table })).toEqual({ kind: 'done' })
}

async function sow(): Promise<void> {
  const of = (ago: number, receivedAgo = ago) => ({
    project_id: acme.projectId,
    timestamp: now - ago,
    received_at: now - receivedAgo,
    retention_days: 90,
  })
  const event = (ago: number, tags: Record<string, string>) => ({
    ...of(ago),
    event_id: nextId(),
    group_version: 1,
    group_hash: hash,
    tags,
  })
  await insert('events', [
    event(29 * dayMs, { 'feature flag': 'on' }),
    event(15 * dayMs, { 'feature flag': 'on' }),
    event(13 * dayMs, { 'feature flag': 'off' }),
    event(1_000, {}),
  ])
  await acme.telemetry.command(indexStoredEventsSql('1'))
  const none = '00000000-0000-0000-0000-000000000000'
  const session = (id: string, quantity: number, receivedAgo: number) => ({
    ...of(2 * dayMs, receivedAgo),
    started: now - 2 * dayMs,
    session_id: id,
    quantity,
  })
  const visit = nextId()
  // A visit with three updates, another one, an aggregate of 36, and one that arrived two days ago.
  await insert('sessions', [
    ...[visit, visit, visit, nextId()].map(id => session(id, 1, 1_000)),
    session(none, 36, 1_000),
    session(nextId(), 1, 2 * dayMs),
  ])
  const line = (receivedAgo: number) => ({
    ...of(3 * dayMs, receivedAgo),
    timestamp: (now - 3 * dayMs) * 1_000,
    log_id: nextId(),
    body: 'imported',
  })
  await insert('logs', [line(1_000), line(2_000), line(2 * dayMs)])
}

test('a project has received what arrived in the time, whenever it happened, and a session once', async () => {
  const since = now - dayMs
  expect(await countProjectItems(acme.viewer, { projectId: acme.projectId, since })).toEqual([
    { kind: 'log', quantity: 2 },
    { kind: 'session', quantity: 38 },
  ])
})

test('the events of an issue are all of them, unless the request names a time', async () => {
  const list = async (query: string) => {
    const request = new Request(`http://localhost/?${query}`)
    const call = { viewer: acme.viewer, request, search: new URL(request.url).searchParams }
    const only = { projectIds: [acme.projectId], hashes: issue.hashes, since: issue.firstSeen }
    const answer = await eventListResponse(call, only)
    return { length: ((await answer.json()) as unknown[]).length, link: answer.headers.get('link') ?? '' }
  }
  expect((await list('')).length).toBe(4)
  expect((await list('statsPeriod=14d')).length).toBe(2)
  const first = await list('per_page=3')
  expect(first.length).toBe(3)
  const next = /cursor="([^"]*)"[^<]*$/.exec(first.link)?.[1] ?? ''
  expect((await list(`per_page=3&cursor=${encodeURIComponent(next)}`)).length).toBe(1)
})

test('a tag may have a space in its name', async () => {
  const answer = await issueTagResponse({ viewer: acme.viewer, issue }, 'feature flag')
  expect(await answer.json()).toMatchObject({
    key: 'feature flag',
    uniqueValues: 2,
    totalValues: 3,
    topValues: [
      { value: 'on', count: 2 },
      { value: 'off', count: 1 },
    ],
  })
  expect(await countTags(acme.viewer, issue)).toEqual([{ key: 'feature flag', total: 3 }])
})
