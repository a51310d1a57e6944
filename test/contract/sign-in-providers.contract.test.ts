/** Signing in through GitHub, GitLab and Google, on both databases, against local stand-ins. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CommandContext } from '#domain/access/command-context.ts'
import { addMember, createUser } from '#domain/members/add-member.ts'
import { createOrganization } from '#domain/projects/create-project.ts'
import type { Control } from '#store/control/open-control.ts'
import { createAuth } from '#web/create-auth.ts'
import {
  type ProviderId,
  type ProviderPerson,
  type Providers,
  providerClient,
  startProviders,
} from '../start-providers.ts'
import { onEachEngine } from './on-each-engine.ts'
import { configOf, testSecret } from './sign-in-world.ts'

const now = () => 1_794_700_000_000
let providers: Providers
beforeAll(async () => {
  providers = await startProviders()
})
afterAll(() => providers?.close())

onEachEngine(({ newControl }) => {
  let control: Control
  let context: CommandContext
  beforeEach(async () => {
    control = await newControl()
    context = { db: control.db, actor: 'test', now }
  })
  const newUser = async () => {
    const made = await createUser(context, {
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      password: 'correct horse',
    })
    if (!made.ok) throw new Error(made.code)
    return made.userId
  }
  const publicUrl = 'https://hydrant.example'
  const providerIds = ['github', 'gitlab', 'google'] as const
  const person: ProviderPerson = { id: 7, name: 'Ada Lovelace', email: 'ada@example.com', isVerified: true }

  /** As the pages do it: to the provider's page, and back with a code. Gives where the browser ends up. */
  async function visit(
    provider: ProviderId,
    who: ProviderPerson,
    env: Record<string, string> = {},
    { isSameBrowser = true } = {},
  ): Promise<string> {
    const { clientId, clientSecret } = providerClient
    const clients = ['GITHUB', 'GITLAB', 'GOOGLE'].flatMap(name => [
      [`HYDRANT_${name}_CLIENT_ID`, clientId],
      [`HYDRANT_${name}_CLIENT_SECRET`, clientSecret],
    ])
    const config = configOf({
      ...{ HYDRANT_URL: publicUrl, HYDRANT_GITLAB_URL: providers.url, ...Object.fromEntries(clients) },
      ...{ HYDRANT_SSO_ALLOWED_DOMAINS: 'example.com', HYDRANT_SSO_ROLE: 'viewer', ...env },
    })
    const own = createAuth({ config, isOidcUp: false, control, secret: testSecret, now })
    const body = {
      provider,
      disableRedirect: true,
      callbackURL: `${publicUrl}/acme`,
      errorCallbackURL: `${publicUrl}/login`,
    }
    const begun = await own.api.signInSocial({ body, headers: new Headers(), asResponse: true })
    const { url } = (await begun.json()) as { url: string }
    const { code, state } = providers.agree(provider, url, who)
    const cookie = isSameBrowser ? begun.headers.getSetCookie().map(each => each.split(';')[0]) : []
    const back = `${publicUrl}/api/auth/callback/${provider}?${new URLSearchParams({ code, state })}`
    const answer = await own.handler(new Request(back, { headers: { cookie: cookie.join('; ') } }))
    return (answer.headers.get('location') ?? '').replace(publicUrl, '')
  }
  const people = () =>
    control.db
      .selectFrom('user')
      .leftJoin('member', 'member.user_id', 'user.id')
      .leftJoin('session', 'session.userId', 'user.id')
      .select(['user.email', 'member.role', 'session.method'])
      .execute()

  test.each(providerIds)('the answer of %s signs nobody in who has not asked for it', async provider => {
    expect(await visit(provider, person, {}, { isSameBrowser: false })).toMatch(/^\/(?:login|api\/auth\/error)\?error=/)
    expect(await people()).toEqual([])
  })

  test.each(providerIds)('%s signs people of an allowed domain in, with the role of newcomers', async provider => {
    await createOrganization(context, { slug: 'acme' })
    expect(await visit(provider, person)).toBe('/acme')
    expect(await people()).toEqual([{ email: 'ada@example.com', role: 'viewer', method: provider }])
  })

  test.each(providerIds)(
    '%s cannot bring in a stranger, an unverified address or somebody without a group',
    async provider => {
      await createOrganization(context, { slug: 'acme' })
      const faultOf = async (who: ProviderPerson, env?: Record<string, string>) =>
        /^\/login\?error=(\w+)/.exec(await visit(provider, who, env))?.[1]
      expect(await faultOf({ ...person, email: 'ada@example.net' })).toBe('sso_domain')
      expect(await faultOf({ ...person, isVerified: false })).toBe('sso_unverified')
      expect(await faultOf(person, { HYDRANT_SSO_GROUP_ROLES: 'dev=member' })).toBe('sso_groups_unknown')
      expect(await faultOf(person, { HYDRANT_SSO_ALLOWED_DOMAINS: '' })).toBe('sso_not_invited')
      expect(await people()).toEqual([])
    },
  )

  test('an address is verified if Google says true, and not if it says anything else', async () => {
    const userId = await newUser()
    await control.db.updateTable('user').set({ emailVerified: sql`true` }).where('id', '=', userId).execute()
    const link = (isVerified: boolean | 'false') =>
      visit('google', { ...person, isVerified }, { HYDRANT_SSO_ALLOWED_DOMAINS: '' })
    expect(await link('false')).toMatch(/^\/login\?error=account_not_linked/)
    expect(await link(true)).toBe('/acme')
  })

  test.each(providerIds)(
    '%s is linked to an account with the same verified address, which keeps its role',
    async provider => {
      const made = await createOrganization(context, { slug: 'acme' })
      const userId = await newUser()
      await addMember(context, { organizationId: made.ok ? made.organization.id : 0, userId, role: 'owner' })
      expect(await visit(provider, { ...person, isVerified: false }, { HYDRANT_SSO_ALLOWED_DOMAINS: '' })).toMatch(
        /^\/login\?error=account_not_linked/,
      )
      // As for an account that the operator has made.
      await control.db.updateTable('user').set({ emailVerified: sql`true` }).where('id', '=', userId).execute()
      expect(await visit(provider, person)).toBe('/acme')
      expect(await people()).toEqual([{ email: 'ada@example.com', role: 'owner', method: provider }])
    },
  )
})
