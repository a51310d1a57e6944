/** An organization whose lists are long, and how tools read those of the API to their last row. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { commentOnIssue } from '#domain/issues/commands/comment-on-issue.ts'
import { createDeploy } from '#domain/releases/create-deploy.ts'
import { saveRelease } from '#domain/releases/save-release.ts'
import { openControl } from '#store/control/open-control.ts'
import { type Hydrant, root, until } from '../start-hydrant.ts'
import { asAda } from './ada.ts'
import { sendLines } from './send-lines.ts'

export type LongLists = Awaited<ReturnType<typeof openLongLists>>
type Row = Record<string, unknown>

const hex = (kind: string, index: number): string => `${kind}${index.toString(16)}`.padStart(32, 'f')
const trace = 'abc'.padStart(32, '0')

/** Letters only: messages that differ in numbers are one entry. */
const wordOf = (index: number): string => [...`${index}`].map(digit => 'abcdefghij'[Number(digit)]).join('')

/** Fills each list of acme with so many rows. */
export async function openLongLists(hydrant: Hydrant, rows: number) {
  const now = Date.now()
  const {
    dsn,
    project: { id: projectId },
  } = await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)
  for (const slug of ['one', 'two']) await hydrant.init('--org', 'acme', '--project', slug, ...asAda)
  const scopes = 'org:read,project:read,event:write,project:releases'
  const { token } = JSON.parse(
    await hydrant.cli('token', 'add', '--org', 'acme', '--name', 'walker', '--scopes', scopes, '--json'),
  )
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
  const [issue] = (await api('organizations/acme/issues/?query=many').then(response => response.json())) as {
    id: string
  }[]
  const issueId = issue?.id ?? ''
  await addRows(0, rows)
  await addChannels(['first', 'second', 'third'])
  return { dsn, projectId, issueId, sendRow, addRows, addChannels, addProject, walkApi, addressOf, trace }

  async function addProject(slug: string): Promise<void> {
    await hydrant.init('--org', 'acme', '--project', slug, ...asAda)
  }

  async function post(items: unknown[]): Promise<void> {
    const { origin, username, pathname } = new URL(dsn)
    const body = items.map(item => (typeof item === 'string' ? item : JSON.stringify(item))).join('\n')
    await until(async () => {
      const address = `${origin}/api${pathname}/envelope/?sentry_key=${username}`
      const response = await fetch(address, { method: 'POST', body })
      await response.text()
      return response.status === 200
    })
  }

  /** Sends one more row for the lists whose rows arrive in envelopes: an issue, an event of one issue, a message, a replay. */
  async function sendRow(index: number, at = now / 1_000 - index): Promise<void> {
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
      attributes: {
        'sentry.op': text('http.server'),
        'sentry.profiler_id': text(profiler),
        'thread.id': text('0'),
        'http.route': text(`/walked/${wordOf(index)}`),
      },
    }))
    const head = { type: 'span', item_count: items.length, content_type: 'application/vnd.sentry.items.span.v2+json' }
    await post([{}, head, { version: 2, items }])
    const chunk = JSON.parse(readFileSync(join(root, 'test/fixtures/profiles/node-chunk.json'), 'utf8'))
    const shift = now / 1_000 - 1 - chunk.profile.samples[0].timestamp
    for (const sample of chunk.profile.samples) sample.timestamp += shift
    await post([{}, { type: 'profile_chunk', platform: 'node' }, { ...chunk, profiler_id: profiler }])
  }

  /** Adds rows that requests create one by one: releases with commits and deploys, and comments. Each release also adds an audit log entry. */
  async function addRows(first: number, end: number): Promise<void> {
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
    for (let index = first; index < end; index++) {
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

  function api(path: string): Promise<Response> {
    const address = path.startsWith('http') ? path : `${hydrant.url}/api/0/${path}`
    return fetch(address, { headers: { authorization: `Bearer ${token}` } })
  }

  /** As tools do: the cursor of the `Link` header until it says that there is no more. */
  async function walkApi(
    path: string,
    idOf: (row: Row) => unknown,
    mostPages = 200,
  ): Promise<{ pages: number; ids: string[]; next: string | undefined }> {
    const ids: string[] = []
    let pages = 0
    let next: string | undefined = path
    for (; next !== undefined && pages < mostPages; pages++) {
      const response: Response = await api(next)
      const body = (await response.json()) as Row[] | { data: Row[] }
      expect(response.status, `${next}: ${JSON.stringify(body).slice(0, 300)}`).toBe(200)
      ids.push(...(Array.isArray(body) ? body : body.data).map(row => String(idOf(row))))
      next = /<([^>]+)>; rel="next"; results="true"/.exec(response.headers.get('link') ?? '')?.[1]
    }
    return { pages, ids, next }
  }

  function addressOf(path: string, more = ''): string {
    const filled = path
      .replace('/api/0/', '')
      .replace('[org]', 'acme')
      .replace('[project]', 'web')
      .replace('[issue]', issueId)
      .replace('[version]', 'api@1.0.0')
    return `${filled}/?${more}`
  }
}

const org = '/api/0/organizations/[org]'
const project = '/api/0/projects/[org]/[project]'

/** `id` is the field that tells rows apart, and `more` narrows the list to these rows. `times`: how many rows there are for each that was added. */
type Collection = { id: string; more?: string; count?: number; times?: number }

/** The lists of the API that have pages. */
export const collections: Record<string, Collection> = {
  [`${org}/projects`]: { id: 'slug', more: 'per_page=1', count: 3 },
  [`${org}/channels`]: { id: 'id', more: 'per_page=1', count: 3 },
  [`${org}/issues`]: { id: 'id', more: 'query=walked' },
  [`${project}/issues`]: { id: 'id', more: 'query=walked' },
  [`${org}/issues/[issue]/notes`]: { id: 'id' },
  [`${org}/issues/[issue]/user-reports`]: { id: 'id' },
  [`${org}/issues/[issue]/events`]: { id: 'eventID' },
  [`${project}/events`]: { id: 'eventID', times: 2 },
  [`${org}/releases`]: { id: 'version', times: 2 },
  [`${org}/routes`]: { id: 'route', more: 'statsPeriod=1d' },
  [`${project}/releases`]: { id: 'version', times: 2 },
  [`${org}/releases/[version]/commits`]: { id: 'id' },
  [`${project}/releases/[version]/commits`]: { id: 'id' },
  [`${org}/releases/[version]/deploys`]: { id: 'environment' },
  [`${org}/replays`]: { id: 'id' },
  [`${org}/events`]: { id: 'id', more: 'dataset=errors&field=id&field=timestamp&query=many&statsPeriod=1d' },
  [`${org}/trace-logs`]: { id: 'id', more: `traceId=${trace}&statsPeriod=1d` },
}

/** Whole lists that are written while they are read, by the files of their routes. */
export const exportedLists = {
  'logs/export/route.ts': '/acme/logs/export?format=ndjson&q=walked+line',
  'settings/audit/export/route.ts': '/acme/settings/audit/export',
  'settings/channels/export/route.ts': '/acme/settings/channels/export',
}
