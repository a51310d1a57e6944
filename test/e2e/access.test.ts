/**
 * Walks every page, route and action of the built app as a visitor, as a stranger and as somebody who may only look.
 * The lists come from Next's manifests: whatever is added is walked, and whatever is public has to be named here.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Hydrant, startHydrant } from '../start-hydrant.ts'
import { listActions, listPages } from './app-manifest.ts'
import { postEnvelope } from './post-envelope.ts'
import { hexId, recipientOf, sendSpans } from './trace-scenes.ts'
import { createVisitor, signInVisitor, type Visitor } from './visitor.ts'

const password = 'correct horse'
/** What anybody may ask for, and what they get once the first run is over. The last two are Next's own and hold nothing of ours. */
const publicRoutes: Record<string, number> = {
  '/login': 200,
  '/setup': 404,
  '/icon.svg': 200,
  '/api/[...path]': 404,
  '/_not-found': 404,
  '/_global-error': 500,
}
/** Actions that belong to nobody: they check for themselves. */
const publicActions = new Set([
  'actions.ts#submitSignIn',
  'actions.ts#signOut',
  'actions.ts#chooseTheme',
  '(entry)/setup/actions.ts#submitSetup',
])

let hydrant: Hydrant
let visitor: Visitor
let owner: Visitor
let stranger: Visitor
let looker: Visitor
let params: Record<string, string>

beforeAll(async () => {
  hydrant = await startHydrant()
  const { dsn } = await hydrant.init(
    '--org',
    'acme',
    '--project',
    'web',
    '--email',
    'owner@example.com',
    '--password',
    password,
  )
  await hydrant.init('--org', 'other', '--project', 'app', '--email', 'stranger@example.com', '--password', password)
  await hydrant.cli(
    'user',
    'add',
    '--org',
    'acme',
    '--email',
    'looker@example.com',
    '--role',
    'viewer',
    '--password',
    password,
  )
  const event = { release: 'walked@1.0.0', exception: { values: [{ type: 'Error', value: 'walked' }] } }
  const eventId = await postEnvelope(dsn, event, ['a file'])
  const traceId = 'c'.repeat(32)
  const span = {
    id: 7,
    name: 'GET /walked',
    op: 'http.server',
    startMs: 0,
    durationMs: 5,
    isSegment: true,
    attributes: { 'http.route': '/walked', 'http.request.method': 'GET' },
  }
  await sendSpans(recipientOf(dsn), { traceId, beganAt: Date.now() - 60_000, spans: [span] })
  await hydrant.drained()
  visitor = createVisitor(hydrant.url)
  owner = await signInVisitor(hydrant.url, 'owner@example.com', password)
  stranger = await signInVisitor(hydrant.url, 'stranger@example.com', password)
  looker = await signInVisitor(hydrant.url, 'looker@example.com', password)
  const list = await (await owner.get('/acme/issues')).text()
  params = {
    org: 'acme',
    issueId: /href="\/acme\/issues\/(\d+)"/.exec(list)?.[1] ?? '',
    eventId,
    slug: 'web',
    version: 'walked%401.0.0',
    traceId,
    spanId: hexId(span.id),
    pattern: 'walked',
    path: 'nothing',
  }
  expect(params.issueId).not.toBe('')
  const drawn = await (await owner.get(`/acme/issues/${params.issueId}/events/${eventId}`)).text()
  params.attachment = /\/attachments\/([\w-]+)"/.exec(drawn)?.[1] ?? ''
  expect(params.attachment).not.toBe('')
})

afterAll(() => hydrant?.stop())

/** A real address for a pattern. A parameter that this walk does not know fails it: teach it here. */
function address(pattern: string, org = 'acme'): string {
  const path = pattern.replace(/\[(?:\.\.\.)?(\w+)\]/g, (_, name: string) => {
    const value = name === 'org' ? org : params[name]
    if (value === undefined) throw new Error(`the walk has no value for [${name}] of ${pattern}`)
    return value
  })
  return path.startsWith('/api/') ? `${path}?org=${org}` : path
}

const status = async (response: Promise<Response>) => {
  const answer = await response
  await answer.body?.cancel()
  return answer.status
}

test('signed out, every page asks for sign-in, save those before the door', async () => {
  for (const pattern of listPages()) {
    expect(await status(visitor.get(address(pattern))), pattern).toBe(publicRoutes[pattern] ?? 401)
  }
})

test('a member of another organisation finds nothing', async () => {
  const inside = listPages().filter(pattern => pattern !== '/' && !(pattern in publicRoutes))
  expect(inside.length).toBeGreaterThan(5)
  for (const pattern of inside) expect(await status(stranger.get(address(pattern))), pattern).toBe(404)
})

test('the owner finds every page, so the walk asks for addresses that exist', async () => {
  for (const pattern of listPages().filter(pattern => !(pattern in publicRoutes))) {
    expect(await status(owner.get(address(pattern))), pattern).toBe(pattern === '/' || pattern === '/[org]' ? 307 : 200)
  }
})

test('no action runs for a visitor, a stranger or a viewer', async () => {
  const guarded = listActions().filter(({ name }) => !publicActions.has(name))
  expect(guarded.length).toBeGreaterThan(0)
  const fields = {
    org: 'acme',
    name: 'forbidden-fruit',
    project: '1',
    key: '1',
    to: 'off',
    label: 'forbidden-fruit',
    token: '1',
  }
  for (const { id, name, pages } of guarded) {
    const page = pages.find(pattern => pattern.startsWith('/[org]')) ?? ''
    expect(await status(visitor.call(address(page), id, fields)), `${name}, signed out`).toBe(401)
    // From a page of their own, so that it is the action that refuses and not the page around it.
    expect(await status(stranger.call(address(page, 'other'), id, fields)), `${name}, stranger`).toBe(404)
    expect(await status(looker.call(address(page), id, fields)), `${name}, viewer`).toBe(403)
  }
  const settings = await (await owner.get('/acme/settings')).text()
  expect(settings).not.toContain('forbidden-fruit')
  expect(settings).not.toContain('Switch on')
})

test('the same call runs for the owner, so the walk calls actions as Next does', async () => {
  const action = listActions().find(({ name }) => name.endsWith('#submitProject'))
  const response = await owner.call('/acme/projects', action?.id ?? '', { org: 'acme', name: 'Mobile App' })
  expect(response.headers.get('x-action-redirect') ?? '').toContain('/acme/projects/mobile-app')
  expect(await status(owner.get('/acme/projects/mobile-app'))).toBe(200)
})

test('public actions are exactly those that the walk names', () => {
  const names = new Set(listActions().map(({ name }) => name))
  expect([...publicActions].filter(name => !names.has(name))).toEqual([])
})

test('without script, sign-in is drawn in place and leads to the page that was asked for', async () => {
  const plain = createVisitor(hydrant.url)
  const refused = await plain.submit('/acme/settings', { email: 'owner@example.com', password: 'wrong horse' })
  expect(refused.status).toBe(401)
  expect(await refused.text()).toContain('The mail address or the password is wrong.')
  const admitted = await plain.submit('/acme/settings', { email: 'owner@example.com', password })
  expect([admitted.status, admitted.headers.get('location')]).toEqual([303, '/acme/settings'])
  expect(await status(plain.get('/acme/settings'))).toBe(200)
})

test('a thing that is not there is a 404 that can be read without script', async () => {
  for (const path of [
    '/acme/issues/999999',
    '/acme/issues/x',
    '/acme/projects/nope',
    '/acme/issues?project=nope',
    '/acme/releases/nope',
    '/acme/releases?project=nope',
    '/nobody/issues',
    '/acme/nope',
  ]) {
    const answer = await owner.get(path)
    expect(answer.status, path).toBe(404)
    expect(await answer.text(), path).toContain('<h1>There is nothing at this address</h1>')
  }
})

test('the peek shows nothing to those who may not see its page', async () => {
  // A part of a page is streamed, so its status may be on the way already: what counts is that nothing of the issue is in it.
  for (const who of [visitor, stranger]) expect(await (await askForPeek(who)).text()).not.toContain('walked')
  expect(await (await askForPeek(owner)).text()).toContain('walked')
})

/** As the router does from the list. The check value of the headers is Next's own: it says which one it wants. */
async function askForPeek(who: Visitor): Promise<Response> {
  const headers = { rsc: '1', 'next-url': '/acme/issues' }
  const hint = await who.get(`/acme/issues/${params.issueId}`, headers)
  const wanted = hint.headers.get('location')
  return wanted ? who.get(wanted.replace(hydrant.url, ''), headers) : hint
}
