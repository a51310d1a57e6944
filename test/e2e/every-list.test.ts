/**
 * Each list that has pages is read to its last row: with two pages and one row more. The tables below name all of them; the last test
 * finds those that are missing.
 */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '#api/routes.ts'
import { commentOnIssue } from '#domain/issues/commands/comment-on-issue.ts'
import { createDeploy } from '#domain/releases/create-deploy.ts'
import { saveRelease } from '#domain/releases/save-release.ts'
import { openControl } from '#store/control/open-control.ts'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { type Hydrant, root, until } from '../start-hydrant.ts'
import { asAda } from './ada.ts'
import { sendLines } from './send-lines.ts'
import { signInVisitor, type Visitor } from './visitor.ts'

/** Pages show 50 rows, the API at most 100: two and one, and one and one. */
const rows = 101

let hydrant: Hydrant
let visitor: Visitor
let dsn = ''
let token = ''
let issueId = ''
const now = Date.now()
const hex = (kind: string, index: number): string => `${kind}${index.toString(16)}`.padStart(32, 'f')
const trace = 'abc'.padStart(32, '0')

beforeAll(async () => {
  hydrant = await borrowHydrant()
  const { project, ...made } = await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)
  dsn = made.dsn
  for (const slug of ['one', 'two']) await hydrant.init('--org', 'acme', '--project', slug, ...asAda)
  const scopes = 'org:read,project:read,event:write,project:releases'
  token = JSON.parse(
    await hydrant.cli('token', 'add', '--org', 'acme', '--name', 'walker', '--scopes', scopes, '--json'),
  ).token
  visitor = await signInVisitor(hydrant.url, 'ada@example.com', 'correct horse')
  for (let index = 0; index < rows; index++) await sendRow(index)
  await sendLines(
    dsn,
    Array.from({ length: rows }, (_, index) => ({
      body: `walked line ${index}`,
      at: now - index * 10,
      traceId: trace,
    })),
  )
  await sendSpans()
  await hydrant.drained()
  const issues = (await api('organizations/acme/issues/?query=many').then(response => response.json())) as {
    id: string
  }[]
  issueId = issues[0]?.id ?? ''
  await addRows(project.id)
  await addChannels(['first', 'second', 'third'])
}, 600_000)
afterAll(() => hydrant?.stop())

async function post(items: unknown[]): Promise<void> {
  const { origin, username, pathname } = new URL(dsn)
  const body = items.map(item => (typeof item === 'string' ? item : JSON.stringify(item))).join('\n')
  await until(async () => {
    const response = await fetch(`${origin}/api${pathname}/envelope/?sentry_key=${username}`, { method: 'POST', body })
    await response.text()
    return response.status === 200
  })
}

/** Letters only: messages that differ in numbers are one entry. */
const wordOf = (index: number): string => [...`${index}`].map(digit => 'abcdefghij'[Number(digit)]).join('')

/** Sends one more row for the lists whose rows arrive in envelopes: an issue, an event of one issue, a message, a replay. */
async function sendRow(index: number): Promise<void> {
  const at = now / 1_000 - index
  const error = (type: string, id: string, more: object) => [
    { event_id: id },
    { type: 'event' },
    {
      event_id: id,
      timestamp: at,
      release: `web@1.0.${index}`,
      exception: { values: [{ type, value: 'walked' }] },
      ...more,
    },
  ]
  await post(
    error(`Walked${index}Error`, hex('a', index), { fingerprint: [`walked ${index}`], user: { id: `u${index}` } }),
  )
  await post(error('ManyError', hex('b', index), { fingerprint: ['many'], tags: { many: `v${index}` } }))
  const feedback = { message: `walked ${wordOf(index)}`, contact_email: `u${index}@shop.example` }
  await post([
    { event_id: hex('c', index) },
    { type: 'feedback' },
    {
      event_id: hex('c', index),
      timestamp: at,
      contexts: { feedback: { ...feedback, associated_event_id: hex('b', 0) } },
    },
  ])
  const replay = {
    type: 'replay_event',
    replay_id: hex('d', index),
    event_id: hex('d', index),
    segment_id: 0,
    timestamp: at,
  }
  const recording = `{"segment_id":0}\n${JSON.stringify([{ type: 4, data: { href: 'https://shop.example/', width: 9, height: 9 }, timestamp: at * 1_000 }])}`
  await post([
    { event_id: hex('d', index) },
    { type: 'replay_event' },
    { ...replay, replay_start_timestamp: at - 5, urls: ['https://shop.example/'], replay_type: 'session' },
    { type: 'replay_recording', length: Buffer.byteLength(recording) },
    recording,
  ])
}

/** Sends profiled segments, each in a separate trace. */
async function sendSpans(): Promise<void> {
  const profiler = 'e'.repeat(32)
  const text = (value: string) => ({ type: 'string', value })
  const items = Array.from({ length: rows }, (_, index) => ({
    trace_id: hex('e', index),
    span_id: (index + 1).toString(16).padStart(16, '0'),
    name: `GET /walked/${index}`,
    status: 'ok',
    is_segment: true,
    start_timestamp: now / 1_000 - index - 1,
    end_timestamp: now / 1_000 - index,
    attributes: { 'sentry.op': text('http.server'), 'sentry.profiler_id': text(profiler), 'thread.id': text('0') },
  }))
  const head = { type: 'span', item_count: items.length, content_type: 'application/vnd.sentry.items.span.v2+json' }
  await post([{}, head, { version: 2, items }])
  const chunk = JSON.parse(readFileSync(join(root, 'test/fixtures/profiles/node-chunk.json'), 'utf8'))
  const shift = now / 1_000 - 1 - chunk.profile.samples[0].timestamp
  for (const sample of chunk.profile.samples) sample.timestamp += shift
  await post([{}, { type: 'profile_chunk', platform: 'node' }, { ...chunk, profiler_id: profiler }])
}

/** Adds rows that requests create one by one: releases with commits and deploys, and comments. Each release also adds an audit log entry. */
async function addRows(projectId: number): Promise<void> {
  const control = openControl({ dataDir: hydrant.dataDir })
  const context = { db: control.db, actor: 'test', now: Date.now }
  const { organization_id: organizationId } = await control.db
    .selectFrom('project')
    .select('organization_id')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  const projectIds = [projectId]
  const commitOf = (number: number) => ({
    ...{ commitId: hex('1', number), repository: '', authorName: '', authorEmail: '', message: 'walked' },
    ...{ committedAt: now - number, fileCount: 0, files: [] },
  })
  for (let index = 0; index < rows; index++) {
    const commits = Array.from({ length: index === 0 ? rows : 1 }, (_, commit) => commitOf(commit + index * 1_000))
    const release = { organizationId, version: `api@1.0.${index}`, projectIds, fields: {}, commits }
    const deploy = { environment: `env-${index}`, name: '', url: '', startedAt: null, finishedAt: now - index }
    const made = [
      await saveRelease(context, release),
      await createDeploy(context, { organizationId, version: 'api@1.0.0', projectIds, ...deploy }),
      await commentOnIssue(context, { scope: projectIds, issueId: Number(issueId), text: `note ${index}` }),
    ]
    expect(made.map(({ ok }) => ok)).toEqual([true, true, true])
  }
  await control.close()
}

async function addChannels(names: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'channels-'))
  const file = join(folder, 'alerts.yaml')
  const channels = names.map(name => ({ name, kind: 'webhook', url: `https://example.com/${name}` }))
  writeFileSync(file, JSON.stringify({ channels, rules: [] }))
  await hydrant.cli('alerts', 'apply', file, '--org', 'acme')
  rmSync(folder, { recursive: true })
}

const api = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(path.startsWith('http') ? path : `${hydrant.url}/api/0/${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  })

type Walked = { pages: number; ids: string[] }

/** As tools do: the cursor of the `Link` header until it says that there is no more. */
async function walkApi(path: string, idOf: (row: Row) => unknown): Promise<Walked> {
  const ids: string[] = []
  let pages = 0
  for (let next: string | undefined = path; next !== undefined && pages < 200; pages++) {
    const response = await api(next)
    const body = (await response.json()) as Row[] | { data: Row[] }
    expect(response.status, `${next}: ${JSON.stringify(body).slice(0, 300)}`).toBe(200)
    ids.push(...(Array.isArray(body) ? body : body.data).map(row => String(idOf(row))))
    next = /<([^>]+)>; rel="next"; results="true"/.exec(response.headers.get('link') ?? '')?.[1]
  }
  return { pages, ids }
}
type Row = Record<string, unknown>

const org = '/api/0/organizations/[org]'
const project = '/api/0/projects/[org]/[project]'

/** `count` is how many rows at least; `more` narrows the list to those of this test. */
type Collection = { id: string; more?: string; count?: number; idOf?: (row: Row) => unknown }
const collections: Record<string, Collection> = {
  [`${org}/projects`]: { id: 'slug', more: 'per_page=1', count: 3 },
  [`${org}/channels`]: { id: 'id', more: 'per_page=1', count: 3 },
  [`${org}/issues`]: { id: 'id', more: 'query=walked' },
  [`${project}/issues`]: { id: 'id', more: 'query=walked' },
  [`${org}/issues/[issue]/notes`]: { id: 'id' },
  [`${org}/issues/[issue]/user-reports`]: { id: 'id' },
  [`${org}/issues/[issue]/events`]: { id: 'eventID' },
  [`${project}/events`]: { id: 'eventID', count: 2 * rows },
  [`${org}/releases`]: { id: 'version', count: 2 * rows },
  [`${project}/releases`]: { id: 'version', count: 2 * rows },
  [`${org}/releases/[version]/commits`]: { id: 'id' },
  [`${org}/releases/[version]/deploys`]: { id: 'environment' },
  [`${org}/replays`]: { id: 'id' },
  [`${org}/events`]: { id: 'id', more: 'dataset=errors&field=id&field=timestamp&query=many&statsPeriod=1d' },
  [`${org}/trace-logs`]: { id: 'id', more: `traceId=${trace}&statsPeriod=1d` },
}

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

const addressOf = (path: string, more = ''): string => {
  const filled = path
    .replace('/api/0/', '')
    .replace('[org]', 'acme')
    .replace('[project]', 'web')
    .replace('[issue]', issueId)
    .replace('[version]', 'api@1.0.0')
  return `${filled}/?${more}`
}

test.each(Object.entries(collections))('GET %s', async (path, { id, more, count = rows }) => {
  const { pages, ids } = await walkApi(addressOf(path, more), row => row[id])
  expect(
    [new Set(ids).size === ids.length, ids.length >= count, pages >= 2],
    `${ids.length} rows of ${pages} pages`,
  ).toEqual([true, true, true])
})

/** Lists of the pages: `row` finds the rows of a page in its HTML. */
const lists: Record<string, { row: RegExp; count?: number; next?: RegExp }> = {
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

test.each(Object.entries(lists))('the page %s', async (address, { row, count = rows, next = nextPage }) => {
  const seen = new Set<string>()
  let pages = 0
  for (let path: string | undefined = address.replace('[issue]', issueId); path !== undefined && pages < 50; pages++) {
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
    if (pages === 0) await sendLines(dsn, [{ body: 'walked later', at: Date.now() }])
  }
  expect([new Set(ids).size, ids.length]).toEqual([rows, rows])
})

/** Whole lists that are written while they are read. Their pages are larger than this test's: see `exports` of the contract tests. */
const exported = {
  'logs/export/route.ts': '/acme/logs/export?format=ndjson&q=walked+line',
  'settings/audit/export/route.ts': '/acme/settings/audit/export',
  'settings/channels/export/route.ts': '/acme/settings/channels/export',
}
test.each(Object.entries(exported))('%s ends as a whole file', async (name, path) => {
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
  const walked = [...Object.keys(lists), 'the list of log lines, which is scrolled']
  expect([...new Set(Object.values(screens))].toSorted()).toEqual(walked.toSorted())

  // Each download that is written while it is read.
  const downloads = sources('app/**/route.ts').filter(path => /downloadResponse|jsonLines/.test(read(path)))
  expect(downloads.map(path => path.replace('app/(app)/[org]/', '')).toSorted()).toEqual(
    Object.keys(exported).toSorted(),
  )
})
