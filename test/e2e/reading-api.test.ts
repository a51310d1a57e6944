/** Sentry's own tools (sentry-cli, sentry and the MCP server) read from a running Hydrant with recorded traffic. */

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Mcp, startMcp } from '../clients/start-mcp.ts'
import { longTest } from '../long.ts'
import { testPlainRequests } from './reading-suites/plain-requests.ts'
import { type ReadingWorld, startReadingWorld } from './reading-world.ts'

let world: ReadingWorld
let mcp: Mcp

beforeAll(async () => {
  world = await startReadingWorld()
  mcp = await startMcp({ url: world.hydrant.url, token: world.token })
})

afterAll(async () => {
  await mcp?.stop()
  await world?.stop()
})

describe('sentry-cli', () => {
  const inProject = ['--org', 'acme', '--project', 'web']

  test('shows the scopes of a token of the organization, which belongs to no user', async () => {
    const info = await world.sentryCli('info')
    expect(info).toContain('- event:write')
    expect(info).not.toContain('User:')
  })

  test('lists issues, events and logs', async () => {
    const issues = await world.sentryCli('issues', 'list', ...inProject)
    for (const { id, shortId } of await world.listIssues())
      expect(issues).toMatch(new RegExp(`\\| ${id} +\\| ${shortId} `))
    const events = await world.sentryCli('events', 'list', ...inProject, '--show-tags', '--show-user')
    expect(events).toMatch(/[0-9a-f-]{36} +\| \d{4}-.*AggregateError/)
    expect(events).toContain('tenant: acme')
    expect(await world.sentryCli('logs', 'list', ...inProject)).toMatch(/warn +\| warn/)
  })

  test('resolves issues and finds them by status', async () => {
    const [issue] = await world.listIssues()
    await world.sentryCli('issues', 'resolve', ...inProject, '--id', issue?.id ?? '')
    expect(await world.sentryCli('issues', 'list', ...inProject, '--query', 'is:resolved')).toContain(issue?.shortId)
    await world.sentryCli('issues', 'unresolve', ...inProject, '--id', issue?.id ?? '')
    expect(await world.sentryCli('issues', 'list', ...inProject, '--query', 'is:resolved')).not.toContain(
      issue?.shortId,
    )
  })
})

describe('sentry', () => {
  longTest('lists and shows organizations, projects, issues and events', async () => {
    expect(await world.sentry('org', 'list')).toContain('acme')
    expect(await world.sentry('project', 'list', 'acme/')).toContain('web')
    expect(await world.sentry('issue', 'list', 'acme/web')).toContain('WEB-1')
    const issues = await world.listIssues()
    const thrown = issues.find(({ title }) => title.includes('server component exploded'))
    const view = await world.sentry('issue', 'view', thrown?.shortId ?? '')
    expect(view).toContain('server component exploded')
    expect(view).toContain('Stack Trace')
    // The browser reported the same failure later and redacted, so tools get the server's event.
    for (const name of ['latest', 'recommended']) {
      const { body } = await world.get(`organizations/acme/issues/${thrown?.id}/events/${name}/`)
      expect(body, name).toMatchObject({
        platform: 'node',
        title: expect.stringContaining('server component exploded'),
      })
    }
    const [event] = (await world.get(`organizations/acme/issues/${thrown?.id}/events/`)).body as { eventID: string }[]
    expect(await world.sentry('issue', 'events', thrown?.shortId ?? '')).toContain(event?.eventID.slice(0, 8))
    expect(await world.sentry('event', 'view', `acme/web/${event?.eventID}`)).toContain(event?.eventID)
  })

  longTest('lists and shows traces, spans and logs', async () => {
    const traces = JSON.parse(await world.sentry('trace', 'list', 'acme/web', '--json')) as {
      data: { trace: string; transaction: string }[]
    }
    const order = traces.data.find(({ transaction }) => transaction === 'GET /orders/:id')
    const view = await world.sentry('trace', 'view', `acme/web/${order?.trace}`)
    expect(view).toMatch(/http\.server — GET \/orders\/:id[\s\S]*db — SELECT \* FROM orders/)
    expect(await world.sentry('span', 'list', 'acme/web', '-q', 'span.op:db span.duration:>1ms')).toContain(
      'SELECT * FROM',
    )
    expect(await world.sentry('log', 'list', 'acme/web')).toContain('Order 123 shipped')
    const logs = JSON.parse(await world.sentry('log', 'list', 'acme/web', '--json')) as {
      data: { 'sentry.item_id': string; trace: string }[]
    }
    const [line] = logs.data
    expect(await world.sentry('log', 'view', 'acme/web', line?.['sentry.item_id'] ?? '')).toContain(line?.trace)
    expect(await world.sentry('trace', 'logs', `acme/${line?.trace}`)).toContain('fatal log')
  })

  longTest('aggregates fields and prints which part of a query is invalid', async () => {
    const byOp = await world.sentry(
      'explore',
      'acme/web',
      '--dataset',
      'spans',
      '-F',
      'span.op',
      '-F',
      'count()',
      '-F',
      'p95(span.duration)',
    )
    expect(byOp).toMatch(/│ db +│ +\d+ │ +[\d.]+ms │/)
    expect(await world.sentry('explore', 'acme/web', '--dataset', 'spans', '-F', 'span.duraton')).toContain(
      'span.duraton is not a field',
    )
    expect(await world.sentry('issue', 'list', 'acme/web', '-q', 'is:broken')).toContain('"is:broken" is not valid')
  })

  test('gets the remaining events of an archive', async () => {
    const path = 'organizations/acme/issues/WEB-1/'
    await world.put(path, { status: 'ignored', statusDetails: { ignoreCount: 10 } })
    expect((await world.get(path)).body).toMatchObject({ status: 'ignored', statusDetails: { ignoreCount: 10 } })
    await world.put(path, { status: 'unresolved' })
  })

  longTest('resolves an issue', async () => {
    expect(await world.sentry('issue', 'resolve', 'WEB-1')).not.toContain('FAILED')
    expect((await world.get('organizations/acme/issues/WEB-1/')).body).toMatchObject({ status: 'resolved' })
    await world.sentry('issue', 'unresolve', 'WEB-1')
    expect((await world.get('organizations/acme/issues/WEB-1/')).body).toMatchObject({ status: 'unresolved' })
  })
})

describe('the MCP server', () => {
  const ask = async (name: string, args: Record<string, unknown>) => {
    const direct = new Set(await mcp.tools())
    const { text, isError } = direct.has(name)
      ? await mcp.call(name, args)
      : await mcp.call('execute_sentry_tool', { name, arguments: args })
    expect(isError, text).toBe(false)
    return text
  }

  test('finds organizations, projects, issues and their details', async () => {
    expect(await ask('find_organizations', {})).toContain('"slug": "acme"')
    expect(await ask('find_projects', { organizationSlug: 'acme' })).toContain('"slug": "web"')
    const { shortId } =
      (await world.listIssues()).find(({ title }) => title.includes('inside span')) ?? expect.unreachable()
    expect(await ask('search_issues', { organizationSlug: 'acme', query: 'is:unresolved' })).toContain(`[${shortId}]`)
    const details = await ask('get_issue_details', { organizationSlug: 'acme', issueId: shortId })
    expect(details).toContain(`# Issue ${shortId}`)
    expect(details).toContain('Stacktrace')
    const { body } = await world.get(`organizations/acme/issues/${shortId}/events/latest/`)
    const { eventID } = body as { eventID: string }
    expect(await ask('get_issue_details', { organizationSlug: 'acme', eventId: eventID })).toContain(
      `# Issue ${shortId}`,
    )
    const address = `${world.hydrant.url}/organizations/acme/issues/${shortId}/`
    expect(await ask('get_sentry_resource', { url: address })).toContain(`# Issue ${shortId}`)
    const page = await fetch(address)
    expect(page.url).toBe(`${world.hydrant.url}/acme/issues/${shortId}`)
    const found = await ask('search_issues', { organizationSlug: 'acme', query: 'level:error' })
    const printed = /https?:\/\/\S+\/organizations\/acme\/issues\/\?[^\s)]+/.exec(found)?.[0]
    expect(new URL((await fetch(printed ?? world.hydrant.url)).url).searchParams.get('q'), found).toContain(
      'level:error',
    )
  })

  test('finds files and feedback, writes a note and resolves', async () => {
    const [withFile] = (await world.get('organizations/acme/issues/?query=attachment')).body as {
      id: string
      shortId: string
    }[]
    const issue = { organizationSlug: 'acme', issueId: withFile?.shortId }
    const { body } = await world.get(`organizations/acme/issues/${withFile?.id}/events/latest/`)
    const { eventID } = body as { eventID: string }
    const file = { organizationSlug: 'acme', projectSlug: 'web', eventId: eventID }
    const files = await ask('get_event_attachment', file)
    expect(files).toContain('**Name:** bin.dat')
    const attachmentId = /\*\*ID:\*\* ([0-9a-f]+)/.exec(files)?.[1]
    expect(await ask('get_event_attachment', { ...file, attachmentId })).toContain('bin.dat')
    const list = `projects/acme/web/events/${eventID}/attachments/`
    const [stored] = (await world.get(list)).body as { id: string; sha1: string; size: number }[]
    const download = await fetch(`${world.hydrant.url}/api/0/${list}${stored?.id}/?download=1`, {
      headers: { Authorization: `Bearer ${world.token}` },
    })
    const bytes = new Uint8Array(await download.arrayBuffer())
    expect(stored).toMatchObject({ size: bytes.length, sha1: createHash('sha1').update(bytes).digest('hex') })
    // On the wire, where the policy of pages must not replace it.
    expect(download.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    const [reported] = (await world.get('organizations/acme/issues/?query=assoc')).body as { shortId: string }[]
    expect(await ask('get_issue_user_reports', { organizationSlug: 'acme', issueId: reported?.shortId })).toContain(
      'The button is broken',
    )
    expect(await ask('add_issue_note', { ...issue, text: 'seen it' })).toContain('seen it')
    expect(await ask('get_issue_activity', issue)).toContain('seen it')
    expect(await ask('update_issue', { ...issue, status: 'resolved' })).toContain('**Status**: resolved')
  })

  test('searches errors, spans and logs', async () => {
    const search = (dataset: string, query: string) =>
      ask('search_events', { organizationSlug: 'acme', dataset, query })
    expect(await search('spans', 'span.op:db')).toContain('SELECT * FROM orders')
    expect(await search('errors', 'AggregateError')).toContain('AggregateError')
    expect(await search('logs', 'severity:fatal')).toContain('fatal log')
  })

  test('shows a trace, the values of a tag and the events of an issue', async () => {
    const spans = await world.get('organizations/acme/events/?dataset=spans&field=trace&query=span.op:db')
    const [row] = (spans.body as { data: { trace: string }[] }).data
    expect(await ask('get_trace_details', { organizationSlug: 'acme', traceId: row?.trace })).toContain(
      'SELECT * FROM orders',
    )
    const tags = await ask('get_issue_tag_values', {
      organizationSlug: 'acme',
      issueId: 'WEB-1',
      tagKey: 'environment',
    })
    expect(tags).toContain('capture')
    const events = await ask('search_issue_events', { organizationSlug: 'acme', issueId: 'WEB-1', query: '' })
    expect(events).toMatch(/[0-9a-f]{32}/)
    expect(await ask('find_releases', { organizationSlug: 'acme' })).toContain('"version": "1.2.3"')
  })
})

testPlainRequests(() => world)
