/** The API without a client: paths, access, notes, pages and queries. */
import { describe, expect, test } from 'vitest'
import { routes } from '#api/routes.ts'
import { linkTicket } from '#domain/issues/commands/link-ticket.ts'
import { openControl } from '#store/control/open-control.ts'
import type { ReadingWorld } from '../reading-world.ts'

export function testPlainRequests(world: () => ReadingWorld): void {
  describe('an unknown path or method', () => {
    const ask = async (method: string, path: string) => {
      const answer = await fetch(`${world().hydrant.url}${path}`, {
        method,
        headers: { Authorization: `Bearer ${world().token}` },
        redirect: 'manual',
      })
      return { status: answer.status, allow: answer.headers.get('allow'), body: (await answer.json()) as unknown }
    }

    test('is rejected with JSON', async () => {
      for (const path of [
        '/api/0/organizations/acme/dashboards/',
        '/api/0/nothing',
        '/api/1/nothing/',
        '/api/nothing/',
      ])
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
    const send = (method: string, path: string, bearer = world().token, body?: unknown) =>
      fetch(`${world().hydrant.url}/api/0/${path}`, {
        method,
        headers: { Authorization: `Bearer ${bearer}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })

    test('a token edits and deletes its own note, and no other token does', async () => {
      const [issue] = await world().listIssues()
      const notes = `organizations/acme/issues/${issue?.id}/notes/`
      const made = await send('POST', notes, world().token, { text: 'Deployed **again**, @owner' })
      expect(made.status).toBe(201)
      const note = (await made.json()) as { id: string }
      expect(note).toMatchObject({ type: 'note', data: { text: 'Deployed **again**, @owner' } })
      const other = await world().makeToken('acme')
      expect((await send('PUT', `${notes}${note.id}/`, other, { text: 'mine' })).status).toBe(404)
      expect((await send('DELETE', `${notes}${note.id}/`, other)).status).toBe(404)
      expect((await send('PUT', `${notes}x/`, world().token, { text: 'mine' })).status).toBe(404)
      expect((await send('PUT', `${notes}${note.id}/`, world().token, { text: '' })).status).toBe(400)
      const edited = await send('PUT', `${notes}${note.id}/`, world().token, { text: 'Deployed once' })
      expect(await edited.json()).toMatchObject({ id: note.id, data: { text: 'Deployed once' } })
      expect((await send('DELETE', `${notes}${note.id}/`)).status).toBe(204)
      expect((await world().get(notes)).body).toEqual([])
    })

    test('linked tickets are external issues', async () => {
      const [issue] = await world().listIssues()
      const control = openControl({ dataDir: world().hydrant.dataDir, databaseUrl: undefined })
      const { project_id } = await control.db
        .selectFrom('issue')
        .select('project_id')
        .where('id', '=', Number(issue?.id))
        .executeTakeFirstOrThrow()
      const ticket = { issueId: Number(issue?.id), url: 'https://tracker.example/7', title: 'Orders fail' }
      await linkTicket({ db: control.db, actor: 'test', now: Date.now }, { scope: [project_id], ...ticket })
      await control.close()
      expect((await world().get(`organizations/acme/issues/${issue?.id}/external-issues/`)).body).toEqual([
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
          expect([404, 405], pattern).toContain(await statusOf(address(pattern, 'other'), world().token))
      }
    })

    async function statusOf(path: string, bearer: string): Promise<number> {
      const answer = await fetch(`${world().hydrant.url}/api/0/${path}`, {
        headers: { Authorization: `Bearer ${bearer}` },
      })
      await answer.body?.cancel()
      return answer.status
    }

    test("another organization's issue, event, project and trace are 404", async () => {
      const [own] = await world().listIssues()
      const { body } = await world().get(`organizations/acme/issues/${own?.id}/events/latest/`)
      const { eventID } = body as { eventID: string }
      const asStranger = async (path: string) => (await world().get(path, world().strangerToken)).status
      expect(await asStranger(`issues/${own?.id}/`)).toBe(404)
      expect(await asStranger(`organizations/other/issues/${own?.id}/`)).toBe(404)
      expect(await asStranger(`organizations/other/eventids/${eventID}/`)).toBe(404)
      expect(await asStranger(`projects/other/web/issues/`)).toBe(404)
      expect(await asStranger(`organizations/other/events/?field=id&project=web`)).toBe(404)
      const spans = await world().get('organizations/other/events/?dataset=spans&field=count()', world().strangerToken)
      expect(spans.body).toMatchObject({ data: [{ 'count()': 0 }] })
    })

    test('an upload token cannot read issues, and a read token cannot change them', async () => {
      const uploader = await world().makeToken('acme', ['org:ci'])
      expect((await world().get('organizations/acme/issues/', uploader)).status).toBe(403)
      const reader = await world().makeToken('acme', ['event:read'])
      const answer = await fetch(`${world().hydrant.url}/api/0/organizations/acme/issues/WEB-1/`, {
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
        const { link, body } = await world().get(path)
        seen.push(...(body as { id: string }[]).map(({ id }) => id))
        const next: string | undefined = /<([^>]+)>; rel="next"; results="true"/.exec(link)?.[1]
        path = next?.replace(`${world().hydrant.url}/api/0/`, '')
      }
      expect(seen.length).toBe(new Set(seen).size)
      expect(new Set(seen)).toEqual(new Set((await world().listIssues()).map(({ id }) => id)))
    })

    test('name the invalid part of a query', async () => {
      const detail = async (query: string) => {
        const { status, body } = await world().get(`organizations/acme/events/?${query}`)
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
      const [one, two, three] = (await world().listIssues()).sort((a, b) => Number(a.id) - Number(b.id))
      const ids = [one, two, three].map(issue => issue?.id ?? '')
      expect((await world().put(`organizations/acme/issues/?id=${ids[0]}`, { merge: 1 })).status).toBe(400)
      expect((await world().put(`organizations/acme/issues/?id=${ids[0]}&id=999999`, { merge: 1 })).status).toBe(404)
      expect(await world().put(`projects/acme/web/issues/?id=${ids[1]}&id=${ids[0]}`, { merge: 1 })).toEqual({
        status: 200,
        body: { merge: { parent: ids[0], children: [ids[1]] } },
      })
      const told = await world().sentry('issue', 'merge', `acme/${one?.shortId}`, `acme/${three?.shortId}`)
      expect(told).not.toContain('FAILED')
      expect(told).toContain(one?.shortId)
      // A change of a merged issue applies to the surviving one.
      const resolved = await world().put(`organizations/acme/issues/?id=${ids[1]}&id=${ids[2]}`, { status: 'resolved' })
      expect(resolved.status).toBe(200)
      const survivor = await world().get(`organizations/acme/issues/${ids[0]}/`)
      expect(survivor.body).toMatchObject({ id: ids[0], status: 'resolved' })
      expect((await world().put(`organizations/acme/issues/?id=${ids[1]}`, { status: 'unresolved' })).status).toBe(200)
      const left = (await world().listIssues()).map(({ id }) => id)
      expect([left.includes(ids[0] ?? ''), left.includes(ids[1] ?? ''), left.includes(ids[2] ?? '')]).toEqual([
        true,
        false,
        false,
      ])
    })

    test('count over time and list search keys', async () => {
      const stats = await world().get(
        'organizations/acme/events-stats/?dataset=spans&yAxis=count()&interval=1h&statsPeriod=24h',
      )
      const { data } = stats.body as { data: [number, [{ count: number }]][] }
      expect(data.reduce((sum, [, [{ count }]]) => sum + count, 0)).toBeGreaterThan(3)
      const attributes = await world().get('organizations/acme/trace-items/attributes/?itemType=spans')
      expect(attributes.body).toContainEqual({
        key: 'db.system.name',
        name: 'db.system.name',
        attributeType: 'string',
        attributeSource: { source_type: 'user' },
      })
      expect((await world().get('organizations/acme/tags/')).body).toContainEqual(
        expect.objectContaining({ key: 'tenant' }),
      )
      expect((await world().get('organizations/acme/members/')).body).toMatchObject([
        { email: 'owner@acme.example', role: 'owner' },
      ])
    })
  })
}
