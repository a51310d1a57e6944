/** Sentry's own tools (sentry-cli, sentry and the MCP server) read from a running Hydrant with recorded traffic. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '#api/routes.ts'
import { linkTicket } from '#domain/issues/commands/link-ticket.ts'
import { openControl } from '#store/control/open-control.ts'
import { type Mcp, startMcp } from '../clients/start-mcp.ts'
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
  test('lists and shows organizations, projects, issues and events', async () => {
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

  test('lists and shows traces, spans and logs', async () => {
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

  test('aggregates fields and prints which part of a query is invalid', async () => {
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

  test('resolves an issue', async () => {
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
    expect(await ask('search_issues', { organizationSlug: 'acme', query: 'is:unresolved' })).toContain('[WEB-1]')
    const details = await ask('get_issue_details', { organizationSlug: 'acme', issueId: 'WEB-1' })
    expect(details).toContain('# Issue WEB-1')
    expect(details).toContain('Stacktrace')
    const { body } = await world.get('organizations/acme/issues/WEB-1/events/latest/')
    const { eventID } = body as { eventID: string }
    expect(await ask('get_issue_details', { organizationSlug: 'acme', eventId: eventID })).toContain('# Issue WEB-1')
    const address = `${world.hydrant.url}/organizations/acme/issues/WEB-1/`
    expect(await ask('get_sentry_resource', { url: address })).toContain('# Issue WEB-1')
    const page = await fetch(address)
    expect(page.url).toBe(`${world.hydrant.url}/acme/issues/WEB-1`)
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

describe('an unknown path or method', () => {
  const ask = async (method: string, path: string) => {
    const answer = await fetch(`${world.hydrant.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${world.token}` },
      redirect: 'manual',
    })
    return { status: answer.status, allow: answer.headers.get('allow'), body: (await answer.json()) as unknown }
  }

  test('is rejected with JSON', async () => {
    for (const path of ['/api/0/organizations/acme/dashboards/', '/api/0/nothing', '/api/1/nothing/', '/api/nothing/'])
      for (const method of ['GET', 'POST', 'DELETE'])
        expect(await ask(method, path), path).toMatchObject({
          status: 404,
          body: { detail: expect.stringContaining(`does not offer ${method} `) },
        })
    for (const path of ['organizations/acme/teams/', 'projects/acme/web/keys/'])
      expect(await ask('POST', `/api/0/${path}`)).toEqual({
        status: 405,
        allow: 'GET, HEAD, OPTIONS',
        body: { detail: 'The method POST is not allowed here.' },
      })
    expect(await ask('DELETE', '/api/live')).toMatchObject({ status: 405, allow: 'GET, HEAD, OPTIONS' })
  })
})

describe('notes and tickets', () => {
  const send = (method: string, path: string, bearer = world.token, body?: unknown) =>
    fetch(`${world.hydrant.url}/api/0/${path}`, {
      method,
      headers: { Authorization: `Bearer ${bearer}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

  test('a token edits and deletes its own note, and no other token does', async () => {
    const [issue] = await world.listIssues()
    const notes = `organizations/acme/issues/${issue?.id}/notes/`
    const made = await send('POST', notes, world.token, { text: 'Deployed **again**, @owner' })
    expect(made.status).toBe(201)
    const note = (await made.json()) as { id: string }
    expect(note).toMatchObject({ type: 'note', data: { text: 'Deployed **again**, @owner' } })
    const other = await world.makeToken('acme')
    expect((await send('PUT', `${notes}${note.id}/`, other, { text: 'mine' })).status).toBe(404)
    expect((await send('DELETE', `${notes}${note.id}/`, other)).status).toBe(404)
    expect((await send('PUT', `${notes}x/`, world.token, { text: 'mine' })).status).toBe(404)
    expect((await send('PUT', `${notes}${note.id}/`, world.token, { text: '' })).status).toBe(400)
    const edited = await send('PUT', `${notes}${note.id}/`, world.token, { text: 'Deployed once' })
    expect(await edited.json()).toMatchObject({ id: note.id, data: { text: 'Deployed once' } })
    expect((await send('DELETE', `${notes}${note.id}/`)).status).toBe(204)
    expect((await world.get(notes)).body).toEqual([])
  })

  test('linked tickets are external issues', async () => {
    const [issue] = await world.listIssues()
    const control = openControl({ dataDir: world.hydrant.dataDir, databaseUrl: undefined })
    const { project_id } = await control.db
      .selectFrom('issue')
      .select('project_id')
      .where('id', '=', Number(issue?.id))
      .executeTakeFirstOrThrow()
    const ticket = { issueId: Number(issue?.id), url: 'https://tracker.example/7', title: 'Orders fail' }
    await linkTicket({ db: control.db, actor: 'test', now: Date.now }, { scope: [project_id], ...ticket })
    await control.close()
    expect((await world.get(`organizations/acme/issues/${issue?.id}/external-issues/`)).body).toEqual([
      {
        id: expect.any(String),
        issueId: issue?.id,
        serviceType: '',
        displayName: 'Orders fail',
        webUrl: 'https://tracker.example/7',
      },
    ])
  })
})

describe('access', () => {
  const address = (pattern: string, org: string) =>
    pattern
      .replace('/api/0/', '')
      .replace('[org]', org)
      .replace('[project]', org === 'acme' ? 'web' : 'secret')
      .replace('[issue]', '1')
      .replace(/\[\w+\]/g, '1'.repeat(32))
  const patterns = [...new Set(routes.map(({ pattern }) => pattern))]

  test('every path is 401 without a token and 404 for another organization', async () => {
    expect(patterns.length).toBeGreaterThan(30)
    for (const pattern of patterns) {
      // A route without GET answers 405 before it checks the token.
      expect([401, 405], pattern).toContain(await statusOf(address(pattern, 'acme'), 'nonsense'))
      if (pattern.includes('[org]'))
        expect([404, 405], pattern).toContain(await statusOf(address(pattern, 'other'), world.token))
    }
  })

  async function statusOf(path: string, bearer: string): Promise<number> {
    const answer = await fetch(`${world.hydrant.url}/api/0/${path}`, { headers: { Authorization: `Bearer ${bearer}` } })
    await answer.body?.cancel()
    return answer.status
  }

  test("another organization's issue, event, project and trace are 404", async () => {
    const [own] = await world.listIssues()
    const { body } = await world.get(`organizations/acme/issues/${own?.id}/events/latest/`)
    const { eventID } = body as { eventID: string }
    const asStranger = async (path: string) => (await world.get(path, world.strangerToken)).status
    expect(await asStranger(`issues/${own?.id}/`)).toBe(404)
    expect(await asStranger(`organizations/other/issues/${own?.id}/`)).toBe(404)
    expect(await asStranger(`organizations/other/eventids/${eventID}/`)).toBe(404)
    expect(await asStranger(`projects/other/web/issues/`)).toBe(404)
    expect(await asStranger(`organizations/other/events/?field=id&project=web`)).toBe(404)
    const spans = await world.get('organizations/other/events/?dataset=spans&field=count()', world.strangerToken)
    expect(spans.body).toMatchObject({ data: [{ 'count()': 0 }] })
  })

  test('an upload token cannot read issues, and a read token cannot change them', async () => {
    const uploader = await world.makeToken('acme', ['org:ci'])
    expect((await world.get('organizations/acme/issues/', uploader)).status).toBe(403)
    const reader = await world.makeToken('acme', ['event:read'])
    const answer = await fetch(`${world.hydrant.url}/api/0/organizations/acme/issues/WEB-1/`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${reader}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ status: 'resolved' }),
    })
    expect(answer.status).toBe(403)
  })
})

describe('lists', () => {
  test('have pages with a cursor in the Link header', async () => {
    const seen: string[] = []
    for (let path: string | undefined = 'organizations/acme/issues/?query=&limit=2'; path; ) {
      const { link, body } = await world.get(path)
      seen.push(...(body as { id: string }[]).map(({ id }) => id))
      const next: string | undefined = /<([^>]+)>; rel="next"; results="true"/.exec(link)?.[1]
      path = next?.replace(`${world.hydrant.url}/api/0/`, '')
    }
    expect(seen.length).toBe(new Set(seen).size)
    expect(new Set(seen)).toEqual(new Set((await world.listIssues()).map(({ id }) => id)))
  })

  test('name the invalid part of a query', async () => {
    const detail = async (query: string) => {
      const { status, body } = await world.get(`organizations/acme/events/?${query}`)
      expect(status).toBe(400)
      return (body as { detail: string }).detail
    }
    expect(await detail('dataset=nope&field=id')).toContain('"nope"')
    expect(await detail('dataset=spans&field=p95(span.op)')).toContain('span.op is not a number')
    expect(await detail('dataset=spans&field=id&query=trace:xyz')).toContain('"trace:xyz"')
    expect(await detail('dataset=spans&field=id&sort=-span.oop')).toContain('span.oop')
    expect(await detail('field=id&statsPeriod=soon')).toContain('"soon"')
  })

  test('keep the oldest issue after a merge', async () => {
    const [one, two, three] = (await world.listIssues()).sort((a, b) => Number(a.id) - Number(b.id))
    const ids = [one, two, three].map(issue => issue?.id ?? '')
    expect((await world.put(`organizations/acme/issues/?id=${ids[0]}`, { merge: 1 })).status).toBe(400)
    expect((await world.put(`organizations/acme/issues/?id=${ids[0]}&id=999999`, { merge: 1 })).status).toBe(404)
    expect(await world.put(`projects/acme/web/issues/?id=${ids[1]}&id=${ids[0]}`, { merge: 1 })).toEqual({
      status: 200,
      body: { merge: { parent: ids[0], children: [ids[1]] } },
    })
    const told = await world.sentry('issue', 'merge', `acme/${one?.shortId}`, `acme/${three?.shortId}`)
    expect(told).not.toContain('FAILED')
    expect(told).toContain(one?.shortId)
    // A change of a merged issue applies to the surviving one.
    const resolved = await world.put(`organizations/acme/issues/?id=${ids[1]}&id=${ids[2]}`, { status: 'resolved' })
    expect(resolved.status).toBe(200)
    const survivor = await world.get(`organizations/acme/issues/${ids[0]}/`)
    expect(survivor.body).toMatchObject({ id: ids[0], status: 'resolved' })
    expect((await world.put(`organizations/acme/issues/?id=${ids[1]}`, { status: 'unresolved' })).status).toBe(200)
    const left = (await world.listIssues()).map(({ id }) => id)
    expect([left.includes(ids[0] ?? ''), left.includes(ids[1] ?? ''), left.includes(ids[2] ?? '')]).toEqual([
      true,
      false,
      false,
    ])
  })

  test('count over time and list search keys', async () => {
    const stats = await world.get(
      'organizations/acme/events-stats/?dataset=spans&yAxis=count()&interval=1h&statsPeriod=24h',
    )
    const { data } = stats.body as { data: [number, [{ count: number }]][] }
    expect(data.reduce((sum, [, [{ count }]]) => sum + count, 0)).toBeGreaterThan(3)
    const attributes = await world.get('organizations/acme/trace-items/attributes/?itemType=spans')
    expect(attributes.body).toContainEqual({
      key: 'db.system.name',
      name: 'db.system.name',
      attributeType: 'string',
      attributeSource: { source_type: 'user' },
    })
    expect((await world.get('organizations/acme/tags/')).body).toContainEqual(
      expect.objectContaining({ key: 'tenant' }),
    )
    expect((await world.get('organizations/acme/members/')).body).toMatchObject([
      { email: 'owner@acme.example', role: 'owner' },
    ])
  })
})
