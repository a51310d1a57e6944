/** The list against real stores: both ways to a page give the same issues, and the next read shows a change. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Viewer } from '#domain/access/viewer.ts'
import { deleteIssues } from '#domain/issues/commands/delete-issues.ts'
import { mergeIssues } from '#domain/issues/commands/merge-issues.ts'
import { resolveIssues } from '#domain/issues/commands/resolve-issues.ts'
import type { IssueFilter, IssueSort } from '#domain/issues/list/issue-filter.ts'
import { listIssues } from '#domain/issues/list-issues.ts'
import { sweepMirror } from '#domain/issues/mirror/write-mirror.ts'
import { parseSearch } from '#search/parse-search.ts'
import type { Control } from '#store/control/open-control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { indexStoredEventsSql } from '#store/telemetry/write-events.ts'
import { createUuids } from '../create-ids.ts'
import { type Acme, openAcme } from './open-acme.ts'

const now = Date.now()
const hourMs = 3_600_000
const nextId = createUuids('issue list')
let acme: Acme
let telemetry: Telemetry
let control: Control
let viewer: Viewer
let projectId: number

beforeAll(async () => {
  acme = await openAcme(now)
  ;({ control, telemetry, viewer, projectId } = acme)
  await sow()
  await sweepMirror({ control, telemetry }, { now: Date.now, mayGoOn: async () => true })
})

afterAll(() => acme?.stop())

const issues = 120
const hashOf = (number: number, part = 0) => `${number}-${part}`.padStart(32, '0')

/** Of these issues, the older events are on another plan, from that many seconds before the newest one. */
const proSince = new Map([
  [20, 12],
  [21, 2],
  [22, 20],
])

/** Issue n has n events of n users; every third is resolved, every fifth regressed, and the browsers take turns. */
async function sow(): Promise<void> {
  const events: unknown[][] = []
  for (let number = 1; number <= issues; number++) {
    const lastSeen = now - number * 1_000
    const { id } = await control.db
      .insertInto('issue')
      .values({
        project_id: projectId,
        number,
        title: `Error: number ${number} 100%`,
        culprit: `/items/${number % 2}`,
        kind: 'error',
        level: number % 4 === 0 ? 'warning' : 'error',
        status: number % 3 === 0 ? 'resolved' : 'unresolved',
        substatus: number % 5 === 0 ? 'regressed' : 'ongoing',
        assignee: number === 7 ? `user:${viewer.user.id}` : '',
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await control.db
      .insertInto('issue_hash')
      .values({
        project_id: projectId,
        group_version: 1,
        group_hash: hashOf(number),
        issue_id: id,
        event_count: number,
        first_seen: lastSeen - number * hourMs,
        last_seen: lastSeen,
        first_release: `web@1.${number % 3}.0`,
        last_release: 'web@2',
        last_event_id: '',
        user_sketch: new Uint8Array(),
        user_count: number,
      })
      .execute()
    for (let each = 0; each < number; each++)
      events.push([
        projectId,
        nextId(),
        lastSeen - each * 1_000,
        now,
        30,
        1,
        hashOf(number),
        number % 2 === 0 ? 'Chrome' : 'Firefox',
        'production',
        `web@1.${number % 3}.0`,
        String(1_000 + each),
        { plan: number === 9 ? 'gold 100%' : each >= (proSince.get(number) ?? issues) ? 'pro' : 'free' },
      ])
  }
  const columns = [
    'project_id',
    'event_id',
    'timestamp',
    'received_at',
    'retention_days',
    'group_version',
    'group_hash',
    'browser_name',
    'environment',
    'release',
    'user_hash',
    'tags',
  ]
  const result = await telemetry.insert({
    table: 'events',
    columns,
    body: events.map(row => JSON.stringify(row)).join('\n'),
    token: 'sown',
  })
  if (result.kind !== 'done') throw new Error(result.message)
  await telemetry.command(indexStoredEventsSql('1'))
}

function ask(text: string, more: Partial<IssueFilter> = {}) {
  const parsed = parseSearch(text)
  if (!parsed.ok) throw new Error(parsed.faults[0]?.message)
  return listIssues(viewer, { terms: parsed.terms, rangeMs: 24 * hourMs, sort: 'lastSeen', ...more })
}

async function walk(text: string, sort: IssueSort): Promise<string[]> {
  const seen: string[] = []
  for (let page = await ask(text, { sort }); ; page = await ask(text, { sort, after: page.next ?? undefined })) {
    seen.push(...page.issues.map(issue => issue.shortId))
    if (!page.next) return seen
  }
}

/** To the last page and back again. Every page knows where it begins. */
async function walkBack(text: string, sort: IssueSort): Promise<string[]> {
  let page = await ask(text, { sort })
  while (page.next) page = await ask(text, { sort, after: page.next })
  const seen: string[] = []
  for (;;) {
    seen.unshift(...page.issues.map(issue => issue.shortId))
    expect(page).toMatchObject({ total: issues, position: issues - seen.length + 1 })
    if (!page.previous) return seen
    page = await ask(text, { sort, after: page.previous })
  }
}

const numbers = (from: number, to: number) =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => from + Math.sign(to - from) * index)

test('what came while the clock was a day ahead is listed, and can be changed in bulk', async () => {
  const hashes = () => control.db.updateTable('issue_hash').where('group_hash', '=', hashOf(3))
  const before = await control.db
    .selectFrom('issue_hash')
    .select(['first_seen', 'last_seen'])
    .where('group_hash', '=', hashOf(3))
    .executeTakeFirstOrThrow()
  await hashes()
    .set({ first_seen: now + 24 * hourMs, last_seen: now + 24 * hourMs })
    .execute()
  for (const sort of ['urgency', 'lastSeen', 'firstSeen'] as const)
    expect((await walk('', sort)).length, sort).toBe(issues)
  await hashes().set(before).execute()
})

test.each(['urgency', 'lastSeen', 'firstSeen', 'events', 'users'] as const)(
  'pages sorted by %s hold every issue once, from either store, in the same order',
  async sort => {
    const control = await walk('', sort)
    const through = await walk('has:user', sort)
    expect(new Set(control).size).toBe(issues)
    expect(control.length).toBe(issues)
    expect(through).toEqual(control)
    for (const text of ['', 'has:user']) expect(await walkBack(text, sort)).toEqual(control)
    if (sort === 'lastSeen') expect(control).toEqual(numbers(1, issues).map(number => `WEB-${number}`))
    if (sort === 'events') expect(control).toEqual(numbers(issues, 1).map(number => `WEB-${number}`))
  },
  30_000,
)

test('a cursor of another sort begins the list anew', async () => {
  const first = (page: Awaited<ReturnType<typeof ask>>) => page.issues[0]?.shortId
  const { next } = await ask('', { sort: 'urgency' })
  for (const text of ['', 'has:user'])
    expect(first(await ask(text, { sort: 'lastSeen', after: next ?? undefined }))).toBe('WEB-1')
  expect((await ask('', { limit: 3 })).issues.length).toBe(3)
})

test('urgency is errors before warnings, then what is new or regressed, then by events', async () => {
  const order = (await walk('', 'urgency')).map(id => Number(id.slice(4)))
  expect(order.slice(0, 3)).toEqual([115, 110, 105])
  expect(order[18]).toBe(119)
  expect(order.slice(90, 92)).toEqual([120, 100])
})

type StateOfIssue = {
  level?: string
  substatus?: 'new' | 'ongoing' | 'regressed'
  is_unhandled?: 0 | 1
  impact?: number
}

/** Changes some issues, in both stores, for the time of a check. */
async function withStates(states: Record<number, StateOfIssue>, check: () => Promise<void>): Promise<void> {
  const numbers = Object.keys(states).map(Number)
  const { db } = control
  const set = (number: number, values: StateOfIssue) =>
    db.updateTable('issue').set(values).where('number', '=', number).execute()
  const sweep = () => sweepMirror({ control, telemetry }, { now: Date.now, mayGoOn: async () => true })
  const before = await db
    .selectFrom('issue')
    .select(['number', 'level', 'substatus', 'is_unhandled', 'impact'])
    .where('number', 'in', numbers)
    .execute()
  for (const number of numbers) await set(number, states[number] ?? {})
  await sweep()
  try {
    await check()
  } finally {
    for (const { number, ...values } of before) await set(number, values as StateOfIssue)
    await sweep()
  }
}

test('urgency is the level, then impact, then unhandled, then new or regressed, in either store', () =>
  withStates(
    {
      1: { level: 'info', substatus: 'new', is_unhandled: 1, impact: 200 },
      2: { level: 'warning', substatus: 'regressed', impact: 100 },
      4: { level: 'fatal', substatus: 'new', is_unhandled: 1, impact: 3 },
      7: { level: 'error', impact: 4 },
      8: { level: 'error', substatus: 'new', impact: 3 },
      11: { level: 'error', is_unhandled: 1, impact: 3 },
      // With more events than all others.
      119: { level: 'debug', substatus: 'new' },
    },
    async () => {
      const issues = 'issue:[WEB-1,WEB-2,WEB-4,WEB-7,WEB-8,WEB-11,WEB-119]'
      for (const text of [issues, `${issues} has:user`])
        expect((await ask(text, { sort: 'urgency' })).issues.map(issue => issue.shortId)).toEqual(
          [7, 4, 11, 8, 2, 1, 119].map(number => `WEB-${number}`),
        )
    },
  ))

test('an urgency that changes between two pages repeats no issue that it leaves where it is', async () => {
  const first = await ask('', { sort: 'urgency', limit: 30 })
  const seen = first.issues.map(issue => issue.shortId)
  await withStates({ 119: { impact: 9 }, 118: { impact: 8 } }, async () => {
    const rest: string[] = []
    for (let page = first; page.next; ) {
      page = await ask('', { sort: 'urgency', limit: 30, after: page.next })
      rest.push(...page.issues.map(issue => issue.shortId))
    }
    expect(rest.filter(id => seen.includes(id))).toEqual([])
    expect(new Set([...seen, ...rest]).size).toBeGreaterThanOrEqual(issues - 2)
  })
})

test('state and tags filter together, with counts of the events that match', async () => {
  const page = await ask('is:unresolved browser.name:Chrome', { sort: 'events' })
  expect(page.issues[0]).toMatchObject({ shortId: 'WEB-118', events: 118, users: 118, lastRelease: 'web@2' })
  expect(page.total).toBe(40)
  expect((await ask('is:unresolved browser.name:Chrome')).total).toBe(40)
  expect((await ask('!browser.name:Chrome')).total).toBe(60)
  expect((await ask('browser.name:[Chrome,Firefox] is:resolved')).total).toBe(40)
  expect((await ask('release:web@1.2.*')).total).toBe(40)
  expect((await ask('has:plan !has:nothing environment:production')).total).toBe(issues)
  expect((await ask('plan:"gold 100%"')).issues.map(issue => issue.shortId)).toEqual(['WEB-9'])
  expect((await ask('', { environment: 'staging' })).total).toBe(0)
})

test('control alone answers what is about the issue', async () => {
  expect((await ask('assigned:me')).issues.map(issue => issue.shortId)).toEqual(['WEB-7'])
  expect((await ask('assigned:ada@example.com')).total).toBe(1)
  expect((await ask('assigned:nobody@example.com')).total).toBe(0)
  expect((await ask('is:regressed')).total).toBe(16)
  expect((await ask('level:warning')).total).toBe(30)
  expect((await ask('"number 12 100%"')).issues.map(issue => issue.shortId)).toEqual(['WEB-12'])
  expect((await ask('_')).total).toBe(0)
  expect((await ask('WEB-42')).issues[0]?.shortId).toBe('WEB-42')
  const { id } = (await ask('issue:WEB-42')).issues[0] ?? { id: 0 }
  expect((await ask(`issue.id:${id}`)).issues.map(issue => issue.shortId)).toEqual(['WEB-42'])
  expect((await ask(`!issue:[${id},WEB-7]`)).total).toBe(issues - 2)
  expect((await ask('issue:999999')).total).toBe(0)
  expect((await ask('substatus:regressed')).total).toBe(16)
  expect((await ask('firstSeen:-10h')).total).toBe(9)
  expect((await ask('age:>100h')).total).toBe(21)
  expect((await ask('!is:resolved')).total).toBe(80)
})

test('"last seen" is about the events that match, whether shown or sorted by', async () => {
  const shown = async (text: string) =>
    (await ask(text)).issues.map(issue => [issue.shortId, (now - issue.lastSeen) / 1_000])
  expect(await shown('plan:pro')).toEqual([
    ['WEB-21', 23],
    ['WEB-20', 32],
    ['WEB-22', 42],
  ])
  expect(await shown('issue:[WEB-20,WEB-21,WEB-22]')).toEqual([
    ['WEB-20', 20],
    ['WEB-21', 21],
    ['WEB-22', 22],
  ])
})

test('numbers compare with what the row shows', async () => {
  expect((await ask('timesSeen:>100')).total).toBe(20)
  expect((await ask('users:<=5 is:unresolved')).total).toBe(4)
})

/** The numbers of the issues that a search finds. */
const found = async (text: string) =>
  (await ask(text, { limit: issues })).issues.map(issue => Number(issue.shortId.slice(4))).sort((a, b) => a - b)
const where = (holds: (number: number) => boolean) => numbers(1, issues).filter(holds)

test('OR, AND and NOT join states, counts and events of either store', async () => {
  const isResolved = (number: number) => number % 3 === 0
  const isChrome = (number: number) => number % 2 === 0
  const isWarning = (number: number) => number % 4 === 0
  expect(await found('is:resolved OR level:warning')).toEqual(where(n => isResolved(n) || isWarning(n)))
  expect(await found('is:resolved OR browser.name:Chrome')).toEqual(where(n => isResolved(n) || isChrome(n)))
  expect(await found('!(is:resolved OR browser.name:Chrome)')).toEqual(where(n => !isResolved(n) && !isChrome(n)))
  expect(await found('release:web@1.0.0 OR release:web@1.1.0 level:warning')).toEqual(
    where(n => n % 3 === 0 || (n % 3 === 1 && isWarning(n))),
  )
  expect(await found('!release:[web@1.0.0,web@1.1.0] (browser.name:Chrome OR is:resolved)')).toEqual(
    where(n => n % 3 === 2 && isChrome(n)),
  )
  expect(await found('timesSeen:>100 OR plan:"gold 100%"')).toEqual(where(n => n > 100 || n === 9))
  expect(await found('users:<3 OR timesSeen:>=119')).toEqual([1, 2, 119, 120])
  expect(await found('(timesSeen:>110 OR is:resolved) (users:<10 OR browser.name:Chrome)')).toEqual(
    where(n => (n > 110 || isResolved(n)) && (n < 10 || isChrome(n))),
  )
  expect(await found('!(timesSeen:>5 OR firstSeen:-3h browser.name:Chrome)')).toEqual(
    where(n => !(n > 5 || (n <= 2 && isChrome(n)))),
  )
})

test('a row of a mixed search counts the events that match', async () => {
  const page = await ask('is:resolved OR browser.name:Chrome', { sort: 'events', limit: 3 })
  expect(page.issues.map(({ shortId, events, users }) => [shortId, events, users])).toEqual([
    ['WEB-120', 120, 120],
    ['WEB-118', 118, 118],
    ['WEB-117', 117, 117],
  ])
  expect(page.total).toBe(80)
})

test('Sentry’s words mean what they mean there', async () => {
  const db = control.db
  await db
    .insertInto('project_release')
    .values(
      ['web@1.0.0', 'web@1.2.0', 'web@1.1.0'].map((version, at) => ({
        project_id: projectId,
        version,
        first_seen: at,
      })),
    )
    .execute()
  expect(await found('release:latest')).toEqual(where(n => n % 3 === 2))
  expect(await found('!release:latest')).toEqual(where(n => n % 3 !== 2))
  expect(await found('release:[latest,web@1.0.0]')).toEqual(where(n => n % 3 !== 1))
  // In control, in telemetry because of the browser, and beside a count.
  for (const typed of ['firstRelease', 'first-release', 'first_release', 'FIRSTRELEASE'])
    expect(await found(`${typed}:web@1.2.0`)).toEqual(where(n => n % 3 === 2))
  expect(await found('!firstRelease:web@1.2.0')).toEqual(where(n => n % 3 !== 2))
  expect(await found('firstRelease:latest')).toEqual(where(n => n % 3 === 2))
  expect(await found('!firstRelease:[latest,web@1.0.0]')).toEqual(where(n => n % 3 === 1))
  expect(await found('firstRelease:WEB@1.* timesSeen:<4')).toEqual([1, 2, 3])
  expect(await found('firstRelease:latest browser.name:Chrome')).toEqual(where(n => n % 6 === 2))
  expect(await found('timesSeen:>118 OR !firstRelease:web@1.* OR firstRelease:latest issue:WEB-5')).toEqual([
    5, 119, 120,
  ])
  expect(await found('firstRelease:web@1')).toEqual([])
  expect(await found('project:web is:resolved OR issue:WEB-7')).toEqual(where(n => n % 3 === 0 || n === 7))
  expect(await found('project:w*b timesSeen:<4')).toEqual([1, 2, 3])
  expect(await found('project:other')).toEqual([])
  expect(await found('is:for_review')).toEqual(where(n => n % 5 === 0 && n % 3 !== 0))
  expect(await found('times_seen:<3 issue.category:error')).toEqual([1, 2])
  expect(await found('issue.category:feedback')).toEqual([])
  expect(await found('times_seen:<3 !issue.category:feedback')).toEqual([1, 2])
  expect(await found('tags[plan]:gold* OR tags[constructor]:x OR has:tags[__proto__]')).toEqual([9])
  expect(await found(`timesSeen:<3 timestamp:>=${new Date(now - hourMs).toISOString()}`)).toEqual([1, 2])
  expect(await found('timestamp:+20h')).toEqual([])
})

test('a page draws its counts and bars from the chosen time', async () => {
  const { issues: rows } = await ask('WEB-100')
  expect(rows[0]).toMatchObject({ events: 100, users: 100, isSeen: false, assignee: null })
  expect(rows[0]?.bars.length).toBe(25)
  expect(rows[0]?.bars.reduce((sum, bar) => sum + bar, 0)).toBe(100)
  expect((await ask('WEB-100', { rangeMs: 30 * 24 * hourMs })).issues[0]?.bars.length).toBe(31)
})

test('a change, a merge and a deletion show in the next read', async () => {
  const context = { db: control.db, actor: 'test', now: () => now }
  const idOf = async (number: number) =>
    (await control.db.selectFrom('issue').select('id').where('number', '=', number).executeTakeFirstOrThrow()).id
  const [first, second] = [await idOf(1), await idOf(2)]
  await resolveIssues(context, { scope: [projectId], issueIds: [first], how: { kind: 'now' } })
  expect((await ask('is:resolved browser.name:Firefox "number 1 "')).issues.map(issue => issue.shortId)).toEqual([
    'WEB-1',
  ])
  await mergeIssues(context, { projectId, targetIssueId: first, issueIds: [second] })
  const merged = await ask('has:user "number 1 "', { sort: 'events' })
  expect(merged.issues[0]).toMatchObject({ shortId: 'WEB-1', events: 3, users: 2 })
  await deleteIssues(context, { scope: [projectId], issueIds: [first] })
  expect((await ask('has:user "number 1 "')).total).toBe(0)
  expect((await ask('has:user')).total).toBe(issues - 2)
})

test('a project outside the scope shows nothing', async () => {
  expect((await ask('has:user', { projectIds: [projectId + 1] })).issues).toEqual([])
  expect((await ask('', { projectIds: [projectId + 1] })).issues).toEqual([])
})
