/**
 * Each list that has pages is read to its last row: with two pages and one row more. The tables below name all of them; the last test
 * finds those that are missing.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '#api/routes.ts'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { type Hydrant, root } from '../start-hydrant.ts'
import { collections, exportedLists, type LongLists, openLongLists } from './long-lists.ts'
import { sendLines } from './send-lines.ts'
import { signInVisitor, type Visitor } from './visitor.ts'

/** Pages show 50 rows, the API at most 100: two and one, and one and one. */
const rows = 101

let hydrant: Hydrant
let visitor: Visitor
let lists: LongLists

beforeAll(async () => {
  hydrant = await borrowHydrant()
  lists = await openLongLists(hydrant, rows)
  visitor = await signInVisitor(hydrant.url, 'ada@example.com', 'correct horse')
}, 600_000)
afterAll(() => hydrant?.stop())

const org = '/api/0/organizations/[org]'
const project = '/api/0/projects/[org]/[project]'

/** Collections that answer as a whole, and why that is right. */
const whole: Record<string, string> = {
  '/api/0/organizations': 'a token has one organization',
  '/api/0/users/me/regions': 'there is one region',
  [`${org}/teams`]: 'all teams',
  [`${org}/members`]: 'all members',
  [`${org}/repos`]: 'always empty',
  [`${org}/environments`]: 'all environments',
  [`${project}/keys`]: 'all keys',
  [`${project}/teams`]: 'all teams',
  [`${project}/environments`]: 'all environments',
  [`${org}/issues/[issue]/activities`]: 'the newest 100',
  [`${org}/issues/[issue]/external-issues`]: 'always empty',
  [`${project}/events/[event]/attachments`]: 'at most 50 of one event',
  [`${org}/workflows`]: 'rules',
  [`${org}/combined-rules`]: 'rules',
  [`${org}/alert-rules`]: 'rules',
  [`${org}/detectors`]: 'rules',
  [`${org}/trace/[trace]`]: 'a trace is one answer',
  [`${org}/releases/[version]/previous-with-commits`]: 'one release',
  [`${org}/tags`]: 'keys of tags',
  [`${org}/trace-items/attributes`]: 'names of attributes',
  [`${project}/replays/[replay]/recording-segments`]: 'streamed in full',
}

/** What these walks have read. */
const idsOf = new Map<string, string[]>()

test.each(Object.entries(collections))('GET %s', async (path, { id, more, times = 1, count = times * rows }) => {
  const { pages, ids } = await lists.walkApi(lists.addressOf(path, more), row => row[id])
  idsOf.set(path, ids)
  expect(
    [new Set(ids).size === ids.length, ids.length >= count, pages >= 2],
    `${ids.length} rows of ${pages} pages`,
  ).toEqual([true, true, true])
})

/** Lists of the pages: `row` finds the rows of a page in its HTML. */
const pagedScreens: Record<string, { row: RegExp; count?: number; next?: RegExp }> = {
  '/acme/issues?q=walked': { row: /href="\/acme\/issues\/(\d+)[?"]/g },
  '/acme/issues/[issue]/events': { row: /\/events\/([0-9a-f]{32})/g },
  '/acme/traces': { row: /\/acme\/traces\/([0-9a-f]{32})/g },
  '/acme/profiles': { row: /\/acme\/traces\/([0-9a-f]{32})\/spans/g },
  '/acme/replays': { row: /\/acme\/replays\/([0-9a-f]{32})/g },
  '/acme/feedback': { row: /\/acme\/feedback\/(\d+)/g },
  '/acme/releases': {
    row: /href="\/acme\/releases\/([^"/?]+)/g,
    count: 2 * rows,
    next: /href="([^"]+)"[^>]*>\s*Next\s*</,
  },
  '/acme/settings/audit': { row: /datetime="([^"]+)"/gi, next: /href="([^"]+)"[^>]*>\s*Older entries/ },
}
const nextPage = /<a[^>]*rel="next"[^>]*href="([^"]+)"|<a[^>]*href="([^"]+)"[^>]*rel="next"/

test.each(Object.entries(pagedScreens))('the page %s', async (address, { row, count = rows, next = nextPage }) => {
  const seen = new Set<string>()
  let pages = 0
  for (
    let path: string | undefined = address.replace('[issue]', lists.issueId);
    path !== undefined && pages < 50;
    pages++
  ) {
    const response = await fetch(hydrant.url + path, { headers: { cookie: visitor.cookie() } })
    expect([path, response.status]).toEqual([path, 200])
    const html = (await response.text()).replaceAll(/<script[\s\S]*?<\/script>/g, '')
    const found = [...new Set([...html.matchAll(row)].map(match => match[1] ?? ''))]
    const fresh = found.filter(id => !seen.has(id))
    expect(fresh.length, `${path} has rows that earlier pages don’t have`).toBeGreaterThan(0)
    for (const id of fresh) seen.add(id)
    const match = next.exec(html)
    path = (match?.[1] ?? match?.[2])?.replaceAll('&amp;', '&')
  }
  expect([seen.size >= count, pages >= 2], `${seen.size} rows of ${pages} pages`).toEqual([true, true])
})

test('the list of log lines, which is scrolled', async () => {
  const ids: string[] = []
  let pages = 0
  for (let path: string | null = '/acme/logs/lines?q=walked&columns=trace'; path !== null; pages++) {
    const response = await fetch(hydrant.url + path, { headers: { cookie: visitor.cookie() } })
    const page = (await response.json()) as { lines: { key: string }[]; more: string | null }
    ids.push(...page.lines.map(({ key }) => key))
    path = page.more
    if (pages === 0) await sendLines(lists.dsn, [{ body: 'walked later', at: Date.now() }])
  }
  expect([new Set(ids).size, ids.length]).toEqual([rows, rows])
})

test('rows that arrive while the lists of the API are read repeat none and hide none', async () => {
  const walks = Object.entries(collections).map(([path, { id, more }]) => ({
    ...{ path, address: lists.addressOf(path, more), idOf: (row: Record<string, unknown>) => row[id] },
  }))
  const begun = await Promise.all(
    walks.map(async ({ path, address, idOf }) => ({
      ...{
        path,
        idOf,
        before: idsOf.get(path) ?? (await lists.walkApi(address, idOf)).ids,
        first: await lists.walkApi(address, idOf, 1),
      },
    })),
  )
  await lists.sendRow(rows, Date.now() / 1_000)
  // In the middle of what is there, as from a browser that was offline.
  await lists.sendRow(rows + 1, Date.now() / 1_000 - 5)
  await lists.addRows(rows, rows + 1)
  await lists.addProject('a-new-one')
  await lists.addChannels(['a new one', 'first', 'second', 'third'])
  await sendLines(lists.dsn, [{ body: 'walked line', at: Date.now() - 5, traceId: lists.trace }])
  await hydrant.drained()
  for (const { path, idOf, before, first } of begun) {
    const rest = await lists.walkApi(first.next ?? '', idOf)
    const ids = [...first.ids, ...rest.ids]
    expect([path, ids.length - new Set(ids).size], 'repeated').toEqual([path, 0])
    expect([path, before.filter(id => !ids.includes(id))], 'lost').toEqual([path, []])
  }
})

/** Their pages are larger than this test’s: see `exports` of the contract tests. */
test.each(Object.entries(exportedLists))('%s ends as a whole file', async (name, path) => {
  const response = await fetch(hydrant.url + path, { headers: { cookie: visitor.cookie() } })
  expect(response.status).toBe(200)
  const lines = (await response.text()).split('\n').filter(Boolean)
  if (!name.includes('channels')) expect(lines.length).toBeGreaterThanOrEqual(rows)
  for (const line of lines) expect(JSON.parse(line)).not.toHaveProperty('error')
})

const sources = (pattern: string): string[] =>
  globSync(pattern, { cwd: join(root, 'src') }).map(path => path.replaceAll('\\', '/'))
const read = (path: string): string => readFileSync(join(root, 'src', path), 'utf8')

test('no list with pages is missing above', () => {
  // Each collection of the API: what has no parameter at its end, or answers with a cursor.
  const gets = routes.filter(({ method }) => method === 'GET').map(({ pattern }) => pattern)
  const isCollection = (path: string) =>
    /s$|tree$|trace-logs$/.test(path) && !/chunk-upload|events-stats|api\/0$/.test(path)
  const known = new Set([...Object.keys(collections), ...Object.keys(whole)])
  expect(gets.filter(path => isCollection(path) && !known.has(path))).toEqual([])
  expect([...known].filter(path => !gets.includes(path))).toEqual([])

  // Each page with a link to its next one.
  const paged = sources('app/**/*.tsx').filter(path =>
    /rel="next"|<ListFoot|>\s*(?:Next|Older entries)\s*</.test(read(path)),
  )
  const screens: Record<string, string> = {
    'feedback/feedback-list.tsx': '/acme/feedback',
    'issues/list-foot.tsx': '/acme/issues?q=walked',
    'issues/issue-board.tsx': '/acme/issues?q=walked',
    'logs/paged-list.tsx': 'the list of log lines, which is scrolled',
    'issues/[issueId]/events/page.tsx': '/acme/issues/[issue]/events',
    'list-states.tsx': '/acme/traces',
    'profiles/profile-list.tsx': '/acme/profiles',
    'releases/release-table.tsx': '/acme/releases',
    // Its list of issues is the one of the issues page.
    'releases/[version]/release-screen.tsx': '/acme/issues?q=walked',
    'replays/replay-list.tsx': '/acme/replays',
    'settings/audit/page.tsx': '/acme/settings/audit',
    'traces/trace-table.tsx': '/acme/traces',
  }
  expect(paged.map(path => path.replace('app/(app)/[org]/', '')).toSorted()).toEqual(Object.keys(screens).toSorted())
  const walked = [...Object.keys(pagedScreens), 'the list of log lines, which is scrolled']
  expect([...new Set(Object.values(screens))].toSorted()).toEqual(walked.toSorted())

  // Each download that is written while it is read.
  const downloads = sources('app/**/route.ts').filter(path => /downloadResponse|jsonLines/.test(read(path)))
  expect(downloads.map(path => path.replace('app/(app)/[org]/', '')).toSorted()).toEqual(
    Object.keys(exportedLists).toSorted(),
  )
})
