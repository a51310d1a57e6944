/** Signing in through OpenID Connect on both databases: a provider that does not answer, or not fully, changes nothing. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CommandContext } from '#domain/access/command-context.ts'
import { addMember, createUser } from '#domain/members/add-member.ts'
import { createOrganization } from '#domain/projects/create-project.ts'
import { createAuthToken } from '#domain/tokens/create-auth-token.ts'
import type { Control } from '#store/control/open-control.ts'
import { createAuth } from '#web/create-auth.ts'
import { type OidcAnswers, oidcClient, startOidcAnswers } from '../start-oidc-answers.ts'
import { onEachEngine } from './on-each-engine.ts'
import { configOf, testSecret } from './sign-in-world.ts'
import { addSquatter, listWaysIn, squatted } from './squatted-account.ts'

const publicUrl = 'https://hydrant.example'
const dev = { sub: 'd1', email: 'dev@example.com', email_verified: true, name: 'Dev' }
let provider: OidcAnswers
beforeAll(async () => {
  provider = await startOidcAnswers()
})
afterAll(() => provider?.close())

onEachEngine(({ newControl }) => {
  let control: Control
  let context: CommandContext
  let organizationId: number
  let auth: ReturnType<typeof createAuth>
  const open = async (env: Record<string, string> = {}) => {
    const config = configOf({
      ...{ HYDRANT_URL: publicUrl, HYDRANT_OIDC_ISSUER: provider.issuer, HYDRANT_OIDC_CLIENT_ID: oidcClient.id },
      ...{ HYDRANT_OIDC_CLIENT_SECRET: oidcClient.secret, HYDRANT_SSO_GROUP_ROLES: 'dev=member,ops=admin' },
      ...{ HYDRANT_SSO_ORGANIZATION: 'acme', ...env },
    })
    auth = createAuth({ config, isOidcUp: true, control, secret: testSecret, now: () => Date.now() })
    await auth.$context
  }
  beforeEach(async () => {
    control = await newControl()
    context = { db: control.db, actor: 'test', now: () => Date.now() }
    const made = await createOrganization(context, { slug: 'acme' })
    organizationId = made.ok ? made.organization.id : 0
    provider.broken.clear()
    await open()
  })

  /** As the pages do it: to the provider's page, and back with a code. Gives where the browser ends up. */
  async function visit(userinfo: OidcAnswers['userinfo'], idToken: Record<string, unknown> | null = { sub: dev.sub }) {
    Object.assign(provider, { userinfo, idToken })
    const body = {
      provider: 'oidc',
      disableRedirect: true,
      callbackURL: `${publicUrl}/acme`,
      errorCallbackURL: `${publicUrl}/login`,
    }
    const begun = await auth.api.signInSocial({ body, headers: new Headers(), asResponse: true })
    const { url } = (await begun.json()) as { url: string }
    const cookie = begun.headers.getSetCookie().map(each => each.split(';')[0])
    const back = `${publicUrl}/api/auth/callback/oidc?${new URLSearchParams(provider.agree(url))}`
    const answer = await auth.handler(new Request(back, { headers: { cookie: cookie.join('; ') } }))
    return (answer.headers.get('location') ?? `status ${answer.status}`).replace(publicUrl, '')
  }
  /** Everything that a refused sign-in must leave as it is. */
  const everything = async () => {
    const rows = async (query: ReturnType<typeof sql>) => JSON.stringify((await query.execute(control.db)).rows)
    return [
      await rows(sql`select id, email, "emailVerified" from "user" order by id`),
      await rows(sql`select user_id, role, granted_by from member order by user_id`),
      await rows(sql`select id, "userId" from session order by id`),
      await rows(sql`select "providerId", "accountId", "userId" from account order by id`),
      await rows(sql`select id, revoked_at from auth_token order by id`),
      await rows(sql`select team_id, user_id from team_member order by team_id`),
    ]
  }
  const userId = async (email: string) =>
    (await control.db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id
  /** A member by their groups, with a session, a personal token and a part in the organization. */
  const joinDev = async () => {
    expect(await visit({ ...dev, groups: ['dev'] })).toBe('/acme')
    const id = await userId(dev.email)
    const own = { ...context, actor: `user:${id}` }
    await createAuthToken(own, { organizationId, name: 'mine', publicUrl: '', isPersonal: true, createdBy: id })
    return id
  }

  describe('a missing or malformed answer does not count as an empty one', () => {
    const { groups: _, ...silent } = { ...dev, groups: [] }
    const overage = { ...silent, _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://x' } } }
    test.each([
      ['userinfo fails', 'error', /error=sso_unreachable/],
      ['userinfo breaks off', 'cut', /error=sso_unreachable/],
      ['userinfo is a page', 'text', /error=sso_unreachable/],
      ['userinfo is a list', 'list', /error=sso_unreachable/],
      ['userinfo has no subject', { email: dev.email, groups: [] }, /error=sso_unreachable/],
      ['userinfo has another subject', { ...dev, sub: 'other', groups: [] }, /error=unable_to_get_user_info/],
      ['the groups claim is missing', silent, /error=sso_groups_unknown/],
      ['there are too many groups for the token', overage, /error=sso_groups_unknown/],
      ['the groups are not a list', { ...dev, groups: { dev: true } }, /error=sso_groups_unknown/],
      ['the groups are null', { ...dev, groups: null }, /error=sso_groups_unknown/],
      ['one of the groups is not a name', { ...dev, groups: [7] }, /error=sso_groups_unknown/],
    ] as const)('%s: the sign-in is refused and nothing changes', async (_case, userinfo, fault) => {
      await joinDev()
      const before = await everything()
      expect(await visit(userinfo)).toMatch(fault)
      expect(await everything()).toEqual(before)
      // No account is created for a new person either.
      const stranger = typeof userinfo === 'object' ? { ...userinfo, sub: 'n1', email: 'new@example.com' } : userinfo
      expect(await visit(stranger, { sub: 'n1' })).toMatch(/error=/)
      expect(await everything()).toEqual(before)
    })

    test.each(['discovery', 'token', 'keys'] as const)('the endpoint %s fails', async endpoint => {
      await joinDev()
      const before = await everything()
      // The keys are read once, so with a new better-auth.
      await open()
      provider.broken.add(endpoint)
      expect(await visit({ ...dev, groups: [] })).toMatch(/error=\w+/)
      expect(await everything()).toEqual(before)
    })

    test('the ID token is missing', async () => {
      await joinDev()
      const before = await everything()
      expect(await visit({ ...dev, groups: ['ops'] }, null)).toMatch(/error=unable_to_get_user_info/)
      expect(await everything()).toEqual(before)
    })
  })

  test('a list of groups that is there and empty removes the member, and what signs them in', async () => {
    const id = await joinDev()
    expect(await visit({ ...dev, groups: [] })).toMatch(/error=sso_group$/)
    expect(await control.db.selectFrom('member').select('role').execute()).toEqual([])
    expect(await listWaysIn(control, id)).toEqual(['providers'])
    expect(await visit({ ...dev, groups: ['a', 'dev', ...Array.from({ length: 1_500 }, (_, n) => `g${n}`)] })).toBe(
      '/acme',
    )
    expect(await visit({ ...dev, groups: [...Array.from({ length: 1_500 }, (_, n) => `g${n}`), 'ops'] })).toBe('/acme')
    expect(await control.db.selectFrom('member').select('role').execute()).toEqual([{ role: 'admin' }])
  })

  test('a member who was added by hand signs in although the provider names no groups', async () => {
    const made = await createUser(context, { email: dev.email, name: 'Dev', password: 'correct horse' })
    const id = made.ok ? made.userId : ''
    await control.db.updateTable('user').set({ emailVerified: sql`true` }).execute()
    await addMember(context, { organizationId, userId: id, role: 'owner' })
    expect(await visit(dev)).toBe('/acme')
    expect(await control.db.selectFrom('member').select('role').execute()).toEqual([{ role: 'owner' }])
  })

  test.each([false, 'true', undefined])(
    'groups make no account for an address whose email_verified is %j',
    async verified => {
      const before = await everything()
      expect(await visit({ ...dev, email_verified: verified, groups: ['ops'] })).toMatch(/error=sso_unverified/)
      expect(await everything()).toEqual(before)
    },
  )

  test('an address that the provider has verified leaves nothing to whoever made the account', async () => {
    const { userId: id } = await addSquatter(context, auth)
    const chief = { ...dev, sub: 'c1', email: squatted.email }
    const before = await everything()
    expect(await visit({ ...chief, email_verified: false, groups: ['dev'] }, { sub: 'c1' })).toMatch(
      /account_not_linked/,
    )
    expect(await everything()).toEqual(before)
    expect(await visit({ ...chief, groups: ['dev'] }, { sub: 'c1' })).toBe('/acme')
    expect(await listWaysIn(control, id)).toEqual(['sessions', 'providers'])
    const [session, ...others] = await control.db.selectFrom('session').select(['method', 'factorAt']).execute()
    expect([session, others]).toEqual([{ method: 'oidc', factorAt: null }, []])
    const entry = await control.db
      .selectFrom('audit')
      .select(['actor', 'detail'])
      .where('action', '=', 'user.address_verified')
      .executeTakeFirstOrThrow()
    expect(entry.actor).toBe(`user:${id}`)
    expect(JSON.parse(entry.detail)).toMatchObject({ by: 'oidc', passwords: 1, apps: 1, passkeys: 1, tokens: 1 })
    // The second time, nothing ends.
    await visit({ ...chief, groups: ['dev'] }, { sub: 'c1' })
    expect((await control.db.selectFrom('session').select('id').execute()).length).toBe(2)
  })

  test('a link to a provider that was made for an unverified address ends, unless it is the one that proves it', async () => {
    await visit({ ...dev, groups: ['dev'] })
    const id = await userId(dev.email)
    await control.db.updateTable('user').set({ emailVerified: sql`false` }).execute()
    const links = () => control.db.selectFrom('account').select('accountId').where('providerId', '=', 'oidc').execute()
    expect(await visit({ ...dev, groups: ['dev'] })).toBe('/acme')
    expect(await links()).toEqual([{ accountId: 'd1' }])
    await control.db.updateTable('user').set({ emailVerified: sql`false` }).execute()
    expect(await visit({ ...dev, sub: 'd2', groups: ['dev'] }, { sub: 'd2' })).toBe('/acme')
    expect(await links()).toEqual([{ accountId: 'd2' }])
    expect(await listWaysIn(control, id)).toEqual(['sessions', 'providers'])
  })
})
