/** Changing several issues by one request: those that are named, or none. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { backendId, projectId } from '../scope/other-organization.ts'
import { type ApiWorld, startApiWorld } from './api-world.ts'

const path = '/api/0/organizations/other/issues'
let world: ApiWorld

beforeAll(async () => {
  world = await startApiWorld()
})
afterAll(() => world?.stop())
beforeEach(async () => {
  await world.control.db.updateTable('issue').set({ status: 'unresolved', status_detail: '{}', assignee: '' }).execute()
})

const put = (search: string, body: unknown = { status: 'resolved' }, below = path) =>
  world.call('PUT', `${below}${search}`, { body })
const resolved = async (): Promise<number[]> =>
  (
    await world.control.db.selectFrom('issue').select('id').where('status', '=', 'resolved').orderBy('id').execute()
  ).map(({ id }) => id)

describe('ids', () => {
  test.each([
    'undefined',
    'null',
    'NaN',
    '',
    '-1',
    '12x',
    '1e3',
    '0x4d',
    '77.0',
    ' 77',
    '77,80',
    '[77]',
    'WEB-',
    '-7',
    'APP-7x',
    '9'.repeat(40),
    '７７',
  ])('id=%s is 400 and changes nothing', async id => {
    const before = await world.dump()
    const answer = await put(`?id=${encodeURIComponent(id)}`)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('ids are numbers or short ids')])
    // Nor with a search beside it, which an empty id must not turn into the selection.
    expect((await put(`?id=${encodeURIComponent(id)}&query=Secret`)).status).toBe(400)
    expect(await world.dump()).toBe(before)
  })

  test('are numbers or short ids, in any mixture', async () => {
    expect((await put('?id=77')).status).toBe(200)
    expect(await resolved()).toEqual([77])
    expect((await put('?id=BACKEND-1&id=app-9&id=77')).status).toBe(200)
    expect(await resolved()).toEqual([77, 78, 80])
  })

  test('of which one is invalid or unknown change nothing', async () => {
    const before = await world.dump()
    expect((await put('?id=77&id=x')).status).toBe(400)
    for (const id of ['999999', 'APP-99', 'GONE-1', String(world.strangerIssue), 'WEB-1']) {
      const answer = await put(`?id=77&id=${id}`)
      expect([answer.status, answer.text], id).toEqual([404, expect.stringContaining(id)])
    }
    expect(await world.dump()).toBe(before)
  })

  test('of a merged issue change the one that it was merged into', async () => {
    expect((await put('?id=79')).status).toBe(200)
    expect(await resolved()).toEqual([77])
  })

  test('of issues outside the projects in the path or project= are unknown', async () => {
    expect((await put('?id=78', undefined, '/api/0/projects/other/app/issues')).status).toBe(404)
    expect((await put(`?id=78&project=${projectId}`)).status).toBe(404)
    expect(
      (await world.call('PUT', `${path}?id=78`, { token: world.tokens.open, body: { status: 'resolved' } })).status,
    ).toBe(404)
    expect(await resolved()).toEqual([])
    expect((await put(`?id=78&project=${backendId}`)).status).toBe(200)
    expect(await resolved()).toEqual([78])
  })
})

describe('without ids', () => {
  test('a request for the organization needs a search', async () => {
    for (const search of ['', '?query=', '?status=', '?project=-1', '?project=app&query=%20'])
      expect((await put(search)).status, search).toBe(400)
    expect(await resolved()).toEqual([])
    expect((await put('?query=is:unresolved')).status).toBe(200)
    expect((await resolved()).length).toBeGreaterThan(0)
  })

  test('a request for a project changes its issues, as `sentry-cli issues resolve --all` wants it', async () => {
    expect(
      (await put('?', { status: 'resolved', snoozeDuration: null }, '/api/0/projects/other/app/issues')).status,
    ).toBe(200)
    expect(await resolved()).toEqual(expect.arrayContaining([77]))
    expect(await resolved()).not.toContain(78)
  })

  test('a parameter that is not understood changes nothing, wherever it is sent', async () => {
    const before = await world.dump()
    for (const search of ['id[]=77', 'id%5B%5D=77', 'ids=77', 'Id=77', 'issue=APP-7', 'short_id=APP-7', 'id=77&ids=78'])
      for (const to of [path, '/api/0/projects/other/app/issues'])
        expect((await put(`?${search}`, undefined, to)).status, search).toBe(400)
    for (const search of ['status=resolved&status=unresolved', 'query=a&query=b'])
      expect((await put(`?${search}`)).status, search).toBe(400)
    expect(await world.dump()).toBe(before)
  })

  test('an unknown status or query is 400, and a search without a match 404', async () => {
    const before = await world.dump()
    for (const search of [
      '?status=undefined',
      '?status=open',
      '?query=is:nonsense',
      '?query=(',
      '?query=a&statsPeriod=soon',
    ])
      expect((await put(search)).status, search).toBe(400)
    expect((await put('?query=nothing-has-this')).status).toBe(404)
    expect(await world.dump()).toBe(before)
  })
})

describe('a change', () => {
  test.each([
    [{}],
    [[]],
    [null],
    ['resolved'],
    [{ status: null }],
    [{ status: 'closed' }],
    [{ status: 'constructor' }],
    [{ status: 'resolved', asignedTo: 'me' }],
    [{ status: 'resolved', discard: true }],
    [{ discard: true }],
    [{ status: 'resolved', snoozeDuration: 5 }],
    [{ status: 'ignored', substatus: 'forever' }],
    [{ status: 'ignored', substatus: 'archived_until_condition_met' }],
    [{ status: 'ignored', substatus: 'archived_forever', ignoreCount: 5 }],
    [{ status: 'ignored', ignoreCount: 5, ignoreDuration: 5 }],
    [{ status: 'ignored', ignoreCount: -5 }],
    [{ status: 'ignored', ignoreCount: 1.5 }],
    [{ status: 'ignored', ignoreCount: 1e12 }],
    [{ status: 'ignored', ignoreDuration: 1e300 }],
    [{ status: 'ignored', ignoreCount: 5, ignoreWindow: 60 }],
    [{ status: 'ignored', statusDetails: { ignoreUserCount: 5, ignoreUserWindow: 60 } }],
    [{ status: 'resolved', substatus: 'archived_forever' }],
    [{ status: 'resolved', ignoreCount: 5 }],
    [{ ignoreCount: 5 }],
    [{ status: 'unresolved', inRelease: '1' }],
    [{ status: 'resolved', inRelease: '1', inNextRelease: true }],
    [{ status: 'resolved', inRelease: '..' }],
    [{ status: 'resolved', statusDetails: { inCommit: { commit: 'a', repository: 'b' } } }],
    [{ priority: 'urgent' }],
    [{ assignedTo: 'nobody@example.com' }],
    [{ assignedTo: 'team:999' }],
    [{ assignedTo: 'team:90x' }],
    [{ assignedTo: 7 }],
    [{ assignedTo: '\0' }],
    [{ assignedTo: 'x'.repeat(100_000) }],
    [{ merge: 'yes' }],
    [{ merge: 2 }],
    // The first part is right, and must not remain.
    [{ status: 'resolved', assignedTo: 'nobody@example.com' }],
    [{ status: 'resolved', priority: 'high', assignedTo: '#nobody' }],
    [{ status: 'resolvedInNextRelease', priority: 'low' }, 'BACKEND-1'],
    [{ merge: 1, assignedTo: 'nobody@example.com' }],
    [{ merge: 1, status: 'resolved', priority: 'nonsense' }],
  ])('of %j is refused and changes nothing', async (body, id = '77') => {
    // The neighbor's release is known, so a next release exists only for the other project.
    await world.control.db.deleteFrom('project_release').where('project_id', '=', backendId).execute()
    const before = await world.dump()
    for (const [target, given] of [
      [`${path}?id=${id}&id=80`, body],
      [`${path}/${id}`, body],
    ] as const) {
      const answer = await world.call('PUT', target, { body: given === 'resolved' ? '"resolved"' : given })
      expect([400, 404], `${target} ${answer.text}`).toContain(answer.status)
    }
    expect(await world.dump()).toBe(before)
  })

  test('applies all its parts, as tools send them', async () => {
    const stateOf = async (id: number) =>
      world.control.db
        .selectFrom('issue')
        .select(['status', 'assignee', 'priority'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    expect(
      (
        await put('?id=77', {
          status: 'ignored',
          substatus: 'archived_until_escalating',
          assignedTo: 'bob@example.com',
          priority: 'high',
        })
      ).status,
    ).toBe(200)
    expect(await stateOf(77)).toEqual({ status: 'archived', assignee: 'user:bob', priority: 'high' })
    expect((await put('?id=77', { assignedTo: '' })).status).toBe(200)
    expect(
      (
        await put('?id=77', {
          status: 'ignored',
          substatus: 'archived_until_condition_met',
          statusDetails: { ignoreDuration: 5 },
        })
      ).status,
    ).toBe(200)
    expect((await put('?id=77&id=80', { merge: 1, status: 'resolved' })).text).toContain('"parent":"77"')
    expect(await stateOf(77)).toMatchObject({ status: 'resolved', assignee: '' })
  })
})
