/** Accounts that change hands, on both databases: what ends when an address is verified, a second factor is reset, a member is removed. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { CommandContext } from '#domain/access/command-context.ts'
import { acceptAsNewUser } from '#domain/members/accept-invitation.ts'
import { addMember, addUserAsMember } from '#domain/members/add-member.ts'
import { invitationProof, inviteMember } from '#domain/members/invite-member.ts'
import { removeMember } from '#domain/members/remove-member.ts'
import { createOrganization } from '#domain/projects/create-project.ts'
import { provision } from '#domain/projects/provision.ts'
import { findRecentEnd } from '#domain/sign-in/find-recent-end.ts'
import { createLoginLink, createMailLink, findLoginLink, spendLoginLink } from '#domain/sign-in/login-link.ts'
import { addPasskey } from '#domain/sign-in/passkeys.ts'
import { countCredentials, type Reason, revokeCredentials } from '#domain/sign-in/revoke-credentials.ts'
import { endOtherSessions, listSessions } from '#domain/sign-in/sessions.ts'
import { findPasswordHash, isSamePassword, setPassword } from '#domain/sign-in/set-password.ts'
import { endTrustedBrowser, listTrustedBrowsers } from '#domain/sign-in/trusted-browsers.ts'
import { verifyAddress } from '#domain/sign-in/verify-address.ts'
import { createAuthToken } from '#domain/tokens/create-auth-token.ts'
import type { Control } from '#store/control/open-control.ts'
import { createAuth } from '#web/create-auth.ts'
import { onEachEngine } from './on-each-engine.ts'
import { configOf, testSecret } from './sign-in-world.ts'
import {
  addSquatter,
  CookieJar,
  installationSecret,
  listWaysIn,
  signInWithPassword,
  squatted,
} from './squatted-account.ts'

const ownPassword = 'chosen by the owner'

onEachEngine(({ newControl, newFilled }) => {
  let control: Control
  let context: CommandContext
  let auth: ReturnType<typeof createAuth>
  const use = async (given: Control) => {
    control = given
    const now = () => Date.now()
    context = { db: control.db, actor: 'test', now }
    const config = configOf({ HYDRANT_URL: 'https://hydrant.example' })
    auth = createAuth({ config, isOidcUp: false, control, secret: testSecret, now })
    await auth.$context
  }
  beforeEach(async () => use(await newControl()))
  /** In another database. Hashing its password and checking it takes longer than a test. */
  async function squat() {
    const { control: given, made } = await newFilled('squatted', async filled => {
      await use(filled)
      return addSquatter(context, auth)
    })
    await use(given)
    return { ...made, jar: made.jar.copy() }
  }
  const newOrganization = async (slug: string): Promise<number> => {
    const made = await createOrganization(context, { slug })
    if (!made.ok) throw new Error(made.code)
    return made.organization.id
  }
  const tokenOf = (link: { ok: true; path: string } | { ok: false }) =>
    link.ok ? (link.path.split('/').at(-1) ?? '') : ''
  const audited = async (action: string) =>
    (await control.db.selectFrom('audit').select(['actor', 'detail']).where('action', '=', action).execute()).map(
      ({ actor, detail }) => ({ actor, ...(JSON.parse(detail) as Record<string, unknown>) }),
    )
  const mailedInvitation = async (organizationId: number) => {
    const invited = { organizationId, email: squatted.email, role: 'admin' as const, teamIds: [], installationSecret }
    const made = await inviteMember(context, invited)
    if (!made.ok) throw new Error(made.code)
    return { token: made.token, given: invitationProof(installationSecret, made.id) }
  }
  const join = (token: string, given: string, name = 'Grace') =>
    acceptAsNewUser(
      { ...context, actor: 'invitation' },
      { token, name, email: squatted.email, password: ownPassword, proof: { given, installationSecret } },
    )

  /** Each way to show that an address is one's own. Those with a password of the owner's leave that one. */
  const proofs: Record<string, { leaves: string[]; prove: (userId: string) => Promise<unknown> }> = {
    'a link by mail': {
      leaves: [],
      prove: async () => {
        const token = tokenOf(await createMailLink(context, { email: squatted.email }))
        return spendLoginLink(context, { token, password: null })
      },
    },
    'a link by mail, with a new password': {
      leaves: ['passwords'],
      prove: async () => {
        const token = tokenOf(await createMailLink(context, { email: squatted.email }))
        expect(await spendLoginLink(context, { token, password: ownPassword })).toMatchObject({ ok: true })
      },
    },
    'a link from the terminal': {
      leaves: [],
      prove: async () => {
        const token = tokenOf(await createLoginLink(context, { email: squatted.email, resetsTwoFactor: false }))
        return spendLoginLink(context, { token, password: null })
      },
    },
    'the header of a proxy': { leaves: [], prove: userId => verifyAddress(context, { userId, by: 'proxy' }) },
    'the link of a mailed invitation': {
      leaves: ['passwords'],
      prove: async () => {
        const { token, given } = await mailedInvitation(await newOrganization('acme'))
        expect(await join(token, given)).toMatchObject({ ok: true, isTakenOver: true })
      },
    },
    'the operator, who adds the address': {
      leaves: ['passwords'],
      prove: async () => {
        await newOrganization('acme')
        const given = { email: squatted.email, password: ownPassword, role: 'admin' as const, organizationSlug: 'acme' }
        expect(await addUserAsMember(context, given)).toMatchObject({ ok: true, state: 'taken_over' })
      },
    },
    'the operator, who makes the address an owner': {
      leaves: ['passwords'],
      prove: async () => {
        const owner = { email: squatted.email, name: undefined, password: ownPassword }
        const project = { slug: 'web', platform: undefined, publicKey: undefined, id: undefined }
        const input = { organizationSlug: 'acme', owner, project, publicUrl: 'https://x.example', installationSecret }
        expect(await provision(context, input)).toMatchObject({ ok: true })
      },
    },
  }

  test.each(Object.keys(proofs))('%s leaves nothing to whoever made the account', async way => {
    const { userId, jar } = await squat()
    expect((await listWaysIn(control, userId)).length).toBe(8)
    const { leaves, prove } = proofs[way] as (typeof proofs)[string]
    await prove(userId)
    expect(await listWaysIn(control, userId)).toEqual(leaves)
    const user = await control.db.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
    expect([Boolean(user.emailVerified), Boolean(user.twoFactorEnabled)]).toEqual([true, false])
    expect((await signInWithPassword(auth, jar)).status).toBe(401)
    expect(await auth.api.getSession({ headers: jar.headers() })).toBeNull()
    if (leaves.length > 0)
      expect((await signInWithPassword(auth, jar, { ...squatted, password: ownPassword })).status).toBe(200)
    const [entry, ...more] = await audited('user.address_verified')
    expect(more).toEqual([])
    expect(entry).toMatchObject({ passwords: 1, sessions: 2, apps: 1, passkeys: 1, trustedBrowsers: 1, tokens: 1 })
    expect(await findRecentEnd(context, userId)).toMatchObject({ reason: 'address_verified', ended: { passkeys: 1 } })
    // Only the first proof ends anything.
    expect(await verifyAddress(context, { userId, by: 'mail' })).toBeNull()
  })

  test('the page says before the sign-in what ends with it, and says nothing to whoever has shown the address before', async () => {
    const { userId } = await squat()
    const token = tokenOf(await createMailLink(context, { email: squatted.email }))
    const found = await findLoginLink(context, token)
    const { links: _, ...counted } = await countCredentials(context, 'address_verified', { userId })
    expect(found?.wouldEnd).toEqual(counted)
    await spendLoginLink(context, { token, password: null })
    const [{ by: __, links: ___, actor: ____, ...ended } = {}]: Record<string, unknown>[] =
      await audited('user.address_verified')
    expect(ended).toEqual(counted)
    const again = tokenOf(await createMailLink(context, { email: squatted.email }))
    expect((await findLoginLink(context, again))?.wouldEnd).toBeNull()
  })

  test('a weak password, or a link that is used up, changes nothing', async () => {
    const { userId } = await squat()
    const before = await listWaysIn(control, userId)
    const token = tokenOf(await createMailLink(context, { email: squatted.email }))
    expect(await spendLoginLink(context, { token, password: 'password1' })).toMatchObject({ code: 'password_common' })
    expect(await spendLoginLink(context, { token: 'invented', password: null })).toMatchObject({ code: 'link_invalid' })
    expect(await listWaysIn(control, userId)).toEqual(before)
    const spent = await Promise.all([1, 2, 3].map(() => spendLoginLink(context, { token, password: null })))
    expect(spent.filter(({ ok }) => ok).length).toBe(1)
  })

  describe('an invitation', () => {
    test('by mail makes a verified account, and the link that the inviter has makes an unverified one', async () => {
      const organizationId = await newOrganization('acme')
      for (const [isMailed, given] of [
        [true, null],
        [false, ''],
        [false, 'invented'],
      ] as const) {
        const mailed = await mailedInvitation(organizationId)
        expect(await join(mailed.token, given ?? mailed.given)).toMatchObject({ ok: true, isTakenOver: false })
        const user = await control.db.selectFrom('user').select(['id', 'emailVerified']).executeTakeFirstOrThrow()
        expect(Boolean(user.emailVerified), String(given)).toBe(isMailed)
        await control.db.deleteFrom('member').execute()
        await control.db.deleteFrom('user').execute()
      }
    })

    test('without the mail is not worth an account that is there, verified or not', async () => {
      const { userId } = await squat()
      const organizationId = await newOrganization('acme')
      const { token } = await mailedInvitation(organizationId)
      const before = await listWaysIn(control, userId)
      expect(await join(token, '')).toEqual({ ok: false, code: 'email_taken' })
      expect(await listWaysIn(control, userId)).toEqual(before)
      await verifyAddress(context, { userId, by: 'mail' })
      const again = await mailedInvitation(organizationId)
      expect(await join(again.token, again.given)).toEqual({ ok: false, code: 'email_taken' })
    })

    test('to the address of an account that has no way to sign in reuses the account and makes it unverified again', async () => {
      const { userId, organizationId } = await squat()
      await verifyAddress(context, { userId, by: 'mail' })
      await control.db.deleteFrom('member').where('organization_id', '=', organizationId).execute()
      const { token } = await mailedInvitation(await newOrganization('acme'))
      expect(await join(token, '')).toMatchObject({ ok: true })
      const users = await control.db.selectFrom('user').select(['id', 'name', 'emailVerified']).execute()
      expect(users.map(({ id, name, emailVerified }) => [id, name, Boolean(emailVerified)])).toEqual([
        [userId, 'Grace', false],
      ])
      expect(await listWaysIn(control, userId)).toEqual(['passwords'])
    })
  })

  test('a reset of the second factor ends what signed in before, and the link after it signs in', async () => {
    const { userId } = await squat()
    await verifyAddress(context, { userId, by: 'mail' })
    const second = await squatAgain(userId)
    expect(second).toContain('passwords')
    const link = await createLoginLink(context, { email: squatted.email, resetsTwoFactor: true })
    expect(await listWaysIn(control, userId)).toEqual(['links or challenges'])
    expect(await audited('user.two_factor_reset')).toMatchObject([{ passwords: 1, tokens: 1, sessions: 1 }])
    expect(await spendLoginLink(context, { token: tokenOf(link), password: ownPassword })).toMatchObject({ ok: true })
    expect(await findRecentEnd(context, userId)).toMatchObject({ reason: 'two_factor_reset' })
  })

  /** Sets up the owner's access again: a password, a session and a personal token. */
  async function squatAgain(userId: string): Promise<string[]> {
    const token = tokenOf(await createMailLink(context, { email: squatted.email }))
    await spendLoginLink(context, { token, password: ownPassword })
    await auth.api.signInEmail({ body: { email: squatted.email, password: ownPassword } })
    const { id } = await control.db.selectFrom('organization').select('id').executeTakeFirstOrThrow()
    const own = { ...context, actor: `user:${userId}` }
    await createAuthToken(own, { organizationId: id, name: 'm', publicUrl: '', isPersonal: true, createdBy: userId })
    return listWaysIn(control, userId)
  }

  test('removed from one organization, a member keeps what signs in and what belongs to the others; from the last, nothing', async () => {
    const { userId, organizationId } = await squat()
    const other = await newOrganization('other')
    await addMember(context, { organizationId: other, userId, role: 'admin' })
    const own = { ...context, actor: `user:${userId}` }
    const token = { organizationId: other, name: 'there', publicUrl: '', createdBy: userId }
    await createAuthToken(own, { ...token, isPersonal: true })
    await createAuthToken(own, token)
    await inviteMember(own, { organizationId: other, email: '', role: 'viewer', teamIds: [], installationSecret })
    const live = async () =>
      (
        await control.db
          .selectFrom('auth_token')
          .select(['name', 'user_id'])
          .where('revoked_at', 'is', null)
          .orderBy('id')
          .execute()
      ).map(({ name, user_id }) => `${name} ${user_id === null ? 'of the organization' : 'personal'}`)
    const before = await listWaysIn(control, userId)
    expect(await removeMember(context, { organizationId, userId, withCreatedTokens: false })).toMatchObject({
      ...{ ok: true, revokedTokens: 1 },
    })
    expect(await live()).toEqual(['there personal', 'there of the organization'])
    expect(await listWaysIn(control, userId)).toEqual(before)
    expect(await audited('user.credentials_end')).toEqual([])
    await removeMember(context, { organizationId: other, userId, withCreatedTokens: false })
    expect(await listWaysIn(control, userId)).toEqual([])
    // A token of the organization belongs to it.
    expect(await live()).toEqual(['there of the organization'])
    expect(await audited('user.credentials_end')).toMatchObject([{ passwords: 1, sessions: 2, apps: 1, passkeys: 1 }])
    // The operator can add the address again, with a password that works.
    const again = { email: squatted.email, password: ownPassword, role: 'viewer' as const, organizationSlug: 'other' }
    expect(await addUserAsMember(context, again)).toMatchObject({ ok: true, state: 'reopened', userId })
    expect(await listWaysIn(control, userId)).toEqual(['passwords'])
  })

  describe('a trusted browser', () => {
    const ask = async (jar: Parameters<typeof signInWithPassword>[1], password = squatted.password) => {
      jar.forget('session')
      const answer = await signInWithPassword(auth, jar, { ...squatted, password })
      return answer.status === 200
        ? ((await answer.json()) as { twoFactorRedirect?: boolean }).twoFactorRedirect === true
        : 'refused'
    }

    test('is listed with its device and its last use, and skips the code until its trust ends', async () => {
      const { userId, jar } = await squat()
      expect(await ask(jar)).toBe(false)
      const [browser, ...others] = await listTrustedBrowsers(context, userId)
      expect(others).toEqual([])
      expect(browser?.userAgent).toContain('Firefox')
      expect(Math.abs((browser?.usedAt ?? 0) - Date.now())).toBeLessThan(60 * 60_000)
      const trusted = { userId, id: browser?.id ?? '' }
      expect(await endTrustedBrowser(context, { ...trusted, userId: 'another' })).toMatchObject({ ok: false })
      expect(await endTrustedBrowser(context, trusted)).toEqual({ ok: true })
      expect(await endTrustedBrowser(context, trusted)).toEqual({ ok: false, code: 'browser_not_found' })
      expect(await listTrustedBrowsers(context, userId)).toEqual([])
      expect(await ask(jar)).toBe(true)
      expect((await audited('user.browser_untrust')).length).toBe(1)
      // Years later, the list is empty without anybody's doing.
      expect(await listTrustedBrowsers({ ...context, now: () => Date.now() + 40 * 86_400_000 }, userId)).toEqual([])
    })

    const ways = {
      'a new app': (userId: string) => revokeCredentials(context, 'app_added', { userId }),
      'a removed app': (userId: string) => revokeCredentials(context, 'app_removed', { userId }),
      'the end of all other sessions': async (userId: string) => {
        const [mine] = await listSessions(context, userId)
        expect(await endOtherSessions(context, { userId, sessionId: mine?.id ?? '' })).toMatchObject({ browsers: 1 })
        expect((await listSessions(context, userId)).length).toBe(1)
      },
      'a new password': async (userId: string) => {
        const [mine] = await listSessions(context, userId)
        const change = { userId, next: ownPassword, current: squatted.password, keepSession: mine?.id ?? '' }
        expect(await setPassword(context, change)).toEqual({ ok: true })
      },
    }
    test.each(Object.entries(ways))('ends with %s, and so does a sign-in that waits for its code', async (way, end) => {
      const { userId, jar } = await squat()
      const half = new CookieJar()
      expect(await ask(half)).toBe(true)
      expect(await ask(jar)).toBe(false)
      await end(userId)
      const left = await control.db
        .selectFrom('verification')
        .select('identifier')
        .where('value', '=', userId)
        .execute()
      expect(left).toEqual([])
      expect(await ask(jar, way === 'a new password' ? ownPassword : squatted.password)).toBe(true)
    })

    test('and its session have not shown a second factor, and the code has', async () => {
      const { userId, jar } = await squat()
      const shown = async () =>
        await control.db
          .selectFrom('session')
          .select(['factorAt', 'secondFactor'])
          .where('userId', '=', userId)
          .execute()
      await control.db.deleteFrom('session').execute()
      await ask(jar)
      expect((await shown()).map(({ factorAt, secondFactor }) => [factorAt, Boolean(secondFactor)])).toEqual([
        [null, true],
      ])
    })
  })

  describe('while an account changes hands', () => {
    test('a password that is being checked starts no session', async () => {
      const { userId, jar } = await squat()
      await control.db.deleteFrom('twoFactor').execute()
      await control.db.updateTable('user').set({ twoFactorEnabled: null }).execute()
      const hash = await findPasswordHash(context, squatted.email)
      jar.forget('session')
      const begun = (await (await signInWithPassword(auth, jar)).json()) as { token: string }
      expect(await isSamePassword(context, { email: squatted.email, hash, token: begun.token })).toBe(true)
      // The hash was read and the password found right; then the owner came, and the session was written after it.
      const late = await control.db
        .selectFrom('session')
        .selectAll()
        .where('token', '=', begun.token)
        .executeTakeFirstOrThrow()
      const token = tokenOf(await createMailLink(context, { email: squatted.email }))
      await spendLoginLink(context, { token, password: ownPassword })
      await control.db.insertInto('session').values(late).execute()
      expect(await isSamePassword(context, { email: squatted.email, hash, token: begun.token })).toBe(false)
      expect(await listSessions(context, userId)).toEqual([])
      expect(await isSamePassword(context, { email: 'nobody@example.com', hash: null, token: null })).toBe(false)
    })

    test('a session that has ended adds no passkey and sets no password', async () => {
      const { userId } = await squat()
      const [session] = await listSessions(context, userId)
      const sessionId = session?.id ?? ''
      await verifyAddress(context, { userId, by: 'mail' })
      const key = { name: 'late', credentialId: 'c2', publicKey: 'k', counter: 0, transports: '[]' }
      expect(await addPasskey(context, { ...key, userId, sessionId })).toEqual({ ok: false, code: 'session_not_found' })
      const change = { userId, next: squatted.password, current: null, keepSession: sessionId }
      expect(await setPassword(context, change)).toEqual({ ok: false, code: 'session_not_found' })
      expect(await listWaysIn(control, userId)).toEqual([])
    })
  })

  test('nothing of anybody else ends, whatever the reason', async () => {
    const { userId } = await squat()
    const before = await listWaysIn(control, userId)
    const reasons: Reason[] = [
      ...([
        'address_verified',
        'two_factor_reset',
        'organization_left',
        'last_organization_left',
        'app_added',
      ] as const),
      ...(['app_removed', 'password_change', 'password_reset', 'other_sessions_ended'] as const),
    ]
    for (const reason of reasons) expect(await revokeCredentials(context, reason, { userId: 'somebody' })).toEqual({})
    expect(await listWaysIn(control, userId)).toEqual(before)
  })
})
