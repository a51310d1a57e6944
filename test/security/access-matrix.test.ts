/**
 * Calls every page, action and API method of the built app as every role, signed out, as a member of another organization and with every
 * token scope. A page, route, method or action that expected-access.ts does not list fails.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '#api/routes.ts'
import { tokenScopes } from '#domain/tokens/token-scopes.ts'
import { listActions, listRoutes } from '../e2e/app-manifest.ts'
import { createVisitor } from '../e2e/visitor.ts'
import { isLong, longTest } from '../long.ts'
import { type AccessWorld, actionId, password, setupFields, startAccessWorld, type Who } from './access-world.ts'
import * as expected from './expected-access.ts'
import { differences, statusOf, type Visit } from './visits.ts'

const { roles } = expected
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

let world: AccessWorld
beforeAll(async () => {
  world = await startAccessWorld()
})
afterAll(() => world?.hydrant.stop())

function callApi(pattern: string, method: string, bearer: string | null, cookie = ''): Promise<Response> {
  // Writes use a missing release or issue, an empty body, or the value that is there, so that a permitted one changes nothing.
  const path = method === 'GET' ? world.address(pattern) : world.address(pattern).replace('walked%401.0.0', 'nothing')
  const isBulk = method === 'PUT' && pattern.endsWith('/issues')
  const isIssue = pattern.endsWith('/issues/[issue]')
  return fetch(`${world.hydrant.url}${path}/${isBulk ? `?id=${expected.missingId}` : ''}`, {
    method,
    headers: { cookie, ...(bearer === null ? {} : { Authorization: `Bearer ${bearer}` }) },
    ...(method === 'GET' ? {} : { body: isBulk || isIssue ? '{"assignedTo":""}' : '{}' }),
  })
}

test('the matrix lists every page, action, API route and token scope, and nothing else', () => {
  const { publicPages, pages, adminPages, ownPages, redirects, missing, apiRouter, api } = expected
  const { publicActions, ownActions, actions, includedScopes } = expected
  const allPages = [...Object.keys(publicPages), ...pages, ...adminPages, ...ownPages, ...redirects, ...missing]
  expect(listRoutes()).toEqual([...allPages, apiRouter].toSorted())
  const apiMethods = Object.entries(api).flatMap(([path, scopes]) => Object.keys(scopes).map(name => `${name} ${path}`))
  expect(routes.map(({ method, pattern }) => `${method} ${pattern}`).toSorted()).toEqual(apiMethods.toSorted())
  const names = listActions().map(({ name }) => name)
  expect(names.toSorted()).toEqual([...publicActions, ...ownActions, ...Object.keys(actions)].toSorted())
  expect(Object.keys(tokenScopes).toSorted()).toEqual(Object.keys(includedScopes).toSorted())
})

test('a page opens for every role, is 401 without a session and 404 for other organizations', async () => {
  const { publicPages, pages, redirects, missing } = expected
  // Who may see a page is decided once for all roles, so the one that may least stands for all.
  const roles = isLong ? (['viewer', 'owner'] as const) : (['viewer'] as const)
  const statusFor = (pattern: string) => (redirects.includes(pattern) ? 307 : missing.includes(pattern) ? 404 : 200)
  const visit = (who: Who, pattern: string, wants: number): Visit => ({
    ...{ what: `${who} ${pattern}`, wants },
    send: () => world.as(who).get(world.address(pattern)),
  })
  const inside = [...pages, ...redirects, ...missing].flatMap(pattern => [
    ...roles.map(role => visit(role, pattern, statusFor(pattern))),
    visit('anonymous', pattern, 401),
    // "/" redirects everyone to their own organization.
    ...(pattern === '/' ? [] : [visit('stranger', pattern, 404)]),
  ])
  const own = expected.ownPages.flatMap(pattern => [
    ...[...roles, 'stranger' as const].map(who => visit(who, pattern, 200)),
    visit('anonymous', pattern, 401),
  ])
  const outside = Object.entries(publicPages).map(([pattern, status]) => visit('anonymous', pattern, status))
  expect(await differences([...inside, ...own, ...outside])).toEqual([])
})

test('a page for admins says which role it needs, and who can give it', async () => {
  const visits = expected.adminPages.flatMap(pattern => [
    ...roles.map(
      (role): Visit => ({
        ...{ what: `${role} ${pattern}`, wants: role === 'admin' || role === 'owner' ? 200 : 403 },
        send: () => world.as(role).get(world.address(pattern)),
      }),
    ),
    { what: `anonymous ${pattern}`, wants: 401, send: () => world.as('anonymous').get(world.address(pattern)) },
    { what: `stranger ${pattern}`, wants: 404, send: () => world.as('stranger').get(world.address(pattern)) },
  ])
  expect(await differences(visits)).toEqual([])
  const refusal = await (await world.as('viewer').get('/acme/settings/audit')).text()
  expect(refusal).toContain('This needs the role admin')
  expect(refusal).toMatch(/You are viewer of acme\..*owner.* can change your role/s)
})

longTest('no other method opens a page', async () => {
  const visits = [...expected.pages, ...expected.redirects, ...expected.missing].flatMap(pattern =>
    methods.slice(1).map(
      (method): Visit => ({
        what: `${method} ${pattern}`,
        wants: expected.handlers.includes(pattern) ? 405 : 401,
        send: () => fetch(world.hydrant.url + world.address(pattern), { method, redirect: 'manual' }),
      }),
    ),
  )
  expect(await differences(visits)).toEqual([])
})

/** The role that may just do it and the one that may just not, or all roles. Each role may do what those before it may. */
function aroundLimit(allowed: readonly expected.Role[]): { role: expected.Role; isAllowed: boolean }[] {
  const least = roles.findIndex(role => allowed.includes(role))
  return roles.flatMap((role, index) =>
    isLong || index === least || index === least - 1 ? { role, isAllowed: allowed.includes(role) } : [],
  )
}

test('an action runs only for the roles of its verb', async () => {
  const visits = listActions().flatMap(({ id, name, pages }) => {
    const page = pages.find(pattern => pattern.startsWith('/[org]')) ?? ''
    return (expected.actions[name] ?? []).flatMap(({ verb, fields }) => {
      const visit = (who: Who, wants: number, org = 'acme'): Visit => ({
        ...{ what: `${who} ${name} ${JSON.stringify(fields)}`, wants },
        send: () => world.as(who).call(world.address(page, org), id, { org: 'acme', ...fields }),
      })
      return [
        ...aroundLimit(expected.rolesOf[verb]).map(({ role, isAllowed }) => visit(role, isAllowed ? 200 : 403)),
        visit('anonymous', 401),
        // From a page of their own organization, so that the action is rejected and not the page.
        visit('stranger', 404, 'other'),
      ]
    })
  })
  expect(await differences(visits)).toEqual([])
})

test('an action on an account needs a session', async () => {
  const visits = listActions().flatMap(({ id, name, pages }): Visit[] => {
    const [page = ''] = pages.toSorted()
    const send = () => world.as('anonymous').call(world.address(page), id, {})
    return expected.ownActions.includes(name) ? [{ what: name, wants: 401, send }] : []
  })
  expect(await differences(visits)).toEqual([])
})

test.each(['delete', 'discard'])('only admins and owners %s an issue, and only they undo it', async change => {
  const { as, issueId } = world
  const page = `/acme/issues/${issueId}`
  const fields = { org: 'acme', issue: issueId, change }
  const pageStatus = () => statusOf(as('owner').get(page))
  const undoAs = (who: Who, undo: string, org = 'acme') =>
    statusOf(as(who).call(`/${org}/issues`, actionId('undoIssueChanges'), { org, undo }))

  for (const who of ['member', 'viewer'] as const) {
    expect(await (await as(who).get(page)).text()).not.toContain(`value="${change}"`)
    expect(await statusOf(as(who).call(page, actionId('changeIssue'), fields))).toBe(403)
    expect(await statusOf(as(who).call('/acme/issues', actionId('changeIssues'), fields))).toBe(403)
    expect(await statusOf(as(who).call('/acme/issues', actionId('changeIssues'), { ...fields, all: 'on' }))).toBe(403)
  }
  expect(await pageStatus()).toBe(200)

  for (const who of ['admin', 'owner'] as const) {
    expect(await (await as(who).get(page)).text()).toContain(`value="${change}"`)
    const answer = await as(who).call(page, actionId('changeIssue'), fields)
    const [target = ''] = (answer.headers.get('x-action-redirect') ?? '').split(';')
    const undo = new URL(target, world.hydrant.url).searchParams.get('undo') ?? ''
    expect(undo).not.toBe('')
    expect(await undoAs('member', undo)).toBe(403)
    expect(await undoAs('viewer', undo)).toBe(403)
    // The undo token is not found in their own organization, which is a form error.
    expect(await undoAs('stranger', undo, 'other')).toBe(200)
    expect(await pageStatus()).toBe(404)
    expect(await undoAs(who, undo)).toBe(200)
    expect(await pageStatus()).toBe(200)
  }
})

test('an API method runs only for its scopes, and a route has no other methods', async () => {
  const { api, unknownApiPath, includedScopes } = expected
  const held = Object.keys(includedScopes)
  /** Every needed scope meets every held one on its first route, and on the others one that is enough and one that is not. */
  const met = new Set<string>()
  const chooseScopes = (needed: string, isEnough: (scope: string) => boolean, turn: number) => {
    if (isLong || !met.has(needed)) return held
    const some = (scopes: string[]) => scopes.slice(turn % scopes.length).slice(0, 1)
    return [...some(held.filter(isEnough)), ...some(held.filter(scope => !isEnough(scope)))]
  }
  const visits = Object.entries({ ...api, ...unknownApiPath }).flatMap(([pattern, scopes], turn) => {
    const others = methods.filter(method => scopes[method] === undefined)
    return methods.flatMap(method => {
      const needed = scopes[method]
      const visit = (who: string, wants: Visit['wants'], bearer: string | null, cookie = ''): Visit => ({
        ...{ what: `${method} ${pattern} (${who})`, wants },
        send: () => callApi(pattern, method, bearer, cookie),
      })
      if (needed === undefined)
        return isLong || method === others[turn % others.length]
          ? [visit('event:write', 405, world.token('event:write'))]
          : []
      const isEnough = (scope: string) =>
        needed === 'any' || scope === needed || includedScopes[scope]?.includes(needed) === true
      const chosen = chooseScopes(needed, isEnough, turn)
      met.add(needed)
      // Reads find their resource; writes have a missing resource or an empty body.
      const allowed = method === 'GET' && pattern in api ? 'found' : 'in'
      return [
        visit('nobody', 401, null),
        visit('a session', 401, null, world.as('owner').cookie()),
        ...(/\[(?:org|issue)\]/.test(pattern) ? [visit('stranger', 404, world.token('stranger'))] : []),
        ...chosen.map(scope => visit(scope, isEnough(scope) ? allowed : 403, world.token(scope))),
      ]
    })
  })
  expect(await differences(visits)).toEqual([])
})

test('a read token cannot change issues, and a write token can', async () => {
  const url = `${world.hydrant.url}/api/0/organizations/acme/issues/${world.issueId}/`
  const send = (scope: string, init: RequestInit = {}) =>
    fetch(url, { ...init, headers: { Authorization: `Bearer ${world.token(scope)}` } })
  const write = (scope: string, status: string) =>
    statusOf(send(scope, { method: 'PUT', body: JSON.stringify({ status }) }))
  const read = async () => ((await (await send('event:read')).json()) as { status: string }).status
  expect(await write('event:read', 'resolved')).toBe(403)
  expect(await write('stranger', 'resolved')).toBe(404)
  expect(await read()).toBe('unresolved')
  expect(await write('event:write', 'resolved')).toBe(200)
  expect(await read()).toBe('resolved')
})

test('setup rejects a wrong code, and the right one once there is a user', async () => {
  const { setup, hydrant } = world
  expect(setup.refusal).toContain('Wrong setup code.')
  expect(setup.statusAfter).toBe(200)
  const late = await createVisitor(hydrant.url).call('/login', actionId('submitSetup'), setupFields(setup.code))
  expect(late.headers.get('x-action-redirect')).toBeNull()
  expect(await hydrant.cli('user', 'list')).not.toContain('mallory')
})

test('sign-in works without JavaScript and continues to the requested page', async () => {
  const plain = createVisitor(world.hydrant.url)
  const refused = await plain.submit('/acme/settings', { email: 'viewer@example.com', password: 'wrong horse' })
  expect(refused.status).toBe(401)
  expect(await refused.text()).toContain('Wrong email or password.')
  const admitted = await plain.submit('/acme/settings', { email: 'viewer@example.com', password })
  expect([admitted.status, admitted.headers.get('location')]).toEqual([303, '/acme/settings'])
  expect(await statusOf(plain.get('/acme/settings'))).toBe(200)
})

test('a form of another site signs nobody in, and after a sign-in no other site is opened', async () => {
  const { url } = world.hydrant
  const fields = { email: 'viewer@example.com', password }
  const foreign = createVisitor(url, { origin: 'https://evil.example' })
  expect((await foreign.submit('/login', fields)).status).toBe(403)
  expect(await statusOf(foreign.get('/acme/settings'))).toBe(401)
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', '/\t/evil.example']) {
    const visitor = createVisitor(url)
    const admitted = await visitor.submit(`/login?next=${encodeURIComponent(next)}`, fields)
    expect([admitted.status, admitted.headers.get('location')], next).toEqual([303, '/'])
  }
})

test('a missing resource is a 404 page that works without JavaScript', async () => {
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
    const answer = await world.as('owner').get(path)
    expect(answer.status, path).toBe(404)
    expect(await answer.text(), path).toMatch(/<h1>[^<]*not found<\/h1>/)
  }
})

test('the peek shows nothing to users who may not see the issue', async () => {
  // The response is streamed, so its status may already be sent: it must not contain anything of the issue.
  for (const who of ['anonymous', 'stranger'] as const)
    expect(await (await requestPeek(who)).text()).not.toContain('walked')
  expect(await (await requestPeek('owner')).text()).toContain('walked')
})

/** Requests the peek as the router does. Next's redirect gives the expected check value of the headers. */
async function requestPeek(who: Who): Promise<Response> {
  const headers = { rsc: '1', 'next-url': '/acme/issues' }
  const hint = await world.as(who).get(`/acme/issues/${world.issueId}`, headers)
  const wanted = hint.headers.get('location')
  return wanted ? world.as(who).get(wanted.replace(world.hydrant.url, ''), headers) : hint
}

test('invalid tokens from one address are throttled, and a valid one is still accepted', async () => {
  const guess = () => statusOf(callApi('/api/0', 'GET', 'sntrys_guess'))
  const statuses = await Promise.all(Array.from({ length: 110 }, guess))
  expect(statuses.toSorted()).toEqual([...Array(100).fill(401), ...Array(10).fill(429)])
  expect(await statusOf(callApi('/api/0', 'GET', world.token('org:ci')))).toBe(200)
})

test('of 60 concurrent passwords ten are checked, and the owner can still sign in from a known browser', async () => {
  const signIn = (visitor = createVisitor(world.hydrant.url), guess = 'wrong horse') => {
    const fields = { email: 'owner@example.com', password: guess, next: '/' }
    return visitor.call('/login', actionId('submitSignIn'), fields)
  }
  const answers = await Promise.all(Array.from({ length: 60 }, async () => (await signIn()).text()))
  expect(answers.filter(text => text.includes('Wrong email or password')).length).toBe(10)
  expect(answers.filter(text => text.includes('Too many attempts')).length).toBe(50)
  // The right password is not checked either, so the limit doesn't reveal it.
  expect(await (await signIn(undefined, password)).text()).toContain('Too many attempts')
  const known = await signIn(world.as('owner'), password)
  expect(known.headers.get('x-action-redirect')).toBeTruthy()
})
