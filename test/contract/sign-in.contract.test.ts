/** Signing in on both databases: the tables of better-auth, limits that all nodes share, one-time links, passwords and sessions. */
import { getAuthTables } from 'better-auth/db'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CommandContext } from '#domain/access/command-context.ts'
import { findOpenInvitation } from '#domain/members/accept-invitation.ts'
import { addMember, createUser } from '#domain/members/add-member.ts'
import { inviteMember } from '#domain/members/invite-member.ts'
import { createTeam } from '#domain/members/teams.ts'
import { createOrganization } from '#domain/projects/create-project.ts'
import { createLoginLink, createMailLink, findLoginLink, spendLoginLink } from '#domain/sign-in/login-link.ts'
import { createOneTimeToken, findOneTimeToken, spendOneTimeToken } from '#domain/sign-in/one-time-token.ts'
import { addPasskey, deletePasskey, findPasskey, notePasskeyUse } from '#domain/sign-in/passkeys.ts'
import { revokeCredentials } from '#domain/sign-in/revoke-credentials.ts'
import { endOtherSessions, endSession, listSessions, markStrong, touchSession } from '#domain/sign-in/sessions.ts'
import { isPasswordOf, setPassword } from '#domain/sign-in/set-password.ts'
import { reserveGuess, reserveMail, type SignInAttempt } from '#domain/sign-in/sign-in-limit.ts'
import { admitBySso, type SsoRules } from '#domain/sign-in/sso-membership.ts'
import { createAuthToken } from '#domain/tokens/create-auth-token.ts'
import type { Control } from '#store/control/open-control.ts'
import { createAuth } from '#web/create-auth.ts'
import { totpCode } from '../totp-code.ts'
import { onEachEngine } from './on-each-engine.ts'
import { configOf, testSecret } from './sign-in-world.ts'

const begun = 1_794_700_000_000
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

onEachEngine(({ newControl }) => {
  let control: Control
  let clock: { now: number }
  let context: CommandContext
  let auth: ReturnType<typeof createAuth>
  beforeEach(async () => {
    control = await newControl()
    clock = { now: begun }
    context = { db: control.db, actor: 'test', now: () => clock.now }
    auth = createAuth({
      config: configOf({ HYDRANT_URL: 'https://hydrant.example' }),
      isOidcUp: false,
      control,
      secret: testSecret,
      now: () => clock.now,
    })
    await auth.$context
  })
  const newUser = async (email = 'ada@example.com', password = 'correct horse') => {
    const made = await createUser(context, { email, name: 'Ada Lovelace', password })
    if (!made.ok) throw new Error(made.code)
    return made.userId
  }
  const signIn = (password: string, from = '203.0.113.7') =>
    auth.api.signInEmail({
      body: { email: 'ada@example.com', password },
      headers: new Headers({ 'x-forwarded-for': `198.51.100.1, ${from}`, 'user-agent': 'Test/1.0' }),
    })
  const actions = async () =>
    (await control.db.selectFrom('audit').select('action').orderBy('id').execute()).map(({ action }) => action)

  test('the tables have exactly the columns that better-auth and its plugins use', async () => {
    const tables = await control.db.introspection.getTables()
    for (const { modelName, fields } of Object.values(getAuthTables(auth.options))) {
      const columns = tables.find(({ name }) => name === modelName)?.columns ?? []
      const wanted = { id: { type: 'string', required: true }, ...fields }
      expect(columns.map(({ name }) => name).toSorted(), modelName).toEqual(Object.keys(wanted).toSorted())
      for (const [name, { type, required }] of Object.entries(wanted)) {
        const column = columns.find(each => each.name === name)
        expect(kinds[String(type)], `${modelName}.${name}`).toContain(column?.dataType.toLowerCase())
        expect(column?.isNullable, `${modelName}.${name}`).toBe(required === false)
      }
    }
  })

  describe('guesses', () => {
    const ada = 'ada@example.com'
    const from = (address: string, account = ada, device: string | null = null): SignInAttempt => ({
      ...{ account, address, device },
    })
    const guess = (attempt: SignInAttempt) => reserveGuess(context, attempt)
    const fail = async (attempt: SignInAttempt, times: number) => {
      for (let count = 0; count < times; count++) await guess(attempt)
    }

    test('concurrent guesses cannot exceed the limit, and a rejected one is not counted', async () => {
      const guesses = await Promise.all(Array.from({ length: 40 }, () => guess(from('10.0.0.1'))))
      expect(guesses.filter(({ ok }) => ok).length).toBe(10)
      const counts = await control.db.selectFrom('guess').select(['rule', 'count']).orderBy('rule').execute()
      expect(counts.map(({ rule, count }) => `${rule} ${count}`)).toEqual(['account 10', 'address 10', 'pair 10'])
    })

    test('ten wrong passwords from one address block the account for that address only, for ten minutes', async () => {
      await fail(from('10.0.0.1'), 10)
      clock.now += minuteMs
      expect(await guess(from('10.0.0.1'))).toEqual({ ok: false, waitMs: 9 * minuteMs })
      expect((await guess(from('10.0.0.2'))).ok).toBe(true)
      expect((await guess(from('10.0.0.1', 'bob@example.com'))).ok).toBe(true)
      clock.now += 9 * minuteMs
      expect((await guess(from('10.0.0.1'))).ok).toBe(true)
    })

    test('an address that tries many accounts is blocked', async () => {
      for (let count = 0; count < 50; count++) await guess(from('10.0.0.1', `user${count}@example.com`))
      expect((await guess(from('10.0.0.1', 'new@example.com'))).ok).toBe(false)
      expect((await guess(from('10.0.0.2', 'new@example.com'))).ok).toBe(true)
    })

    test('many addresses that guess one account are limited together, but a known browser can still sign in', async () => {
      for (let host = 0; host < 20; host++) await fail(from(`10.0.1.${host}`), 5)
      expect((await guess(from('10.0.2.1'))).ok).toBe(false)
      expect((await guess(from('10.0.2.1', ada, 'laptop'))).ok).toBe(true)
      await fail(from('10.0.2.1', ada, 'laptop'), 9)
      expect((await guess(from('10.0.2.1', ada, 'laptop'))).ok).toBe(false)
    })

    test('the right password resets the count of wrong ones, and a failure of ours is given back', async () => {
      await fail(from('10.0.0.1'), 9)
      const right = await guess(from('10.0.0.1'))
      if (right.ok) await right.succeed()
      await fail(from('10.0.0.1'), 9)
      const failed = await guess(from('10.0.0.1'))
      if (failed.ok) await failed.refund()
      expect((await guess(from('10.0.0.1'))).ok).toBe(true)
      expect((await guess(from('10.0.0.1'))).ok).toBe(false)
    })
  })

  test('a one-time token works once, for its purpose and until it expires, and is not stored', async () => {
    const userId = await newUser()
    const make = () => createOneTimeToken(context, { purpose: 'link', userId, lifeMs: 10 * minuteMs })
    const spend = (token: string) => spendOneTimeToken(context, { purpose: 'link', token })
    const token = await make()
    expect(JSON.stringify(await control.db.selectFrom('one_time_token').selectAll().execute())).not.toContain(token)
    expect(await spendOneTimeToken(context, { purpose: 'use-passkey', token })).toBeUndefined()
    expect(await findOneTimeToken(context, { purpose: 'link', token })).toMatchObject({ email: 'ada@example.com' })
    const spent = await Promise.all([spend(token), spend(token), spend(token)])
    expect(spent.filter(each => each !== undefined)).toEqual([{ userId }])
    const late = await make()
    clock.now += 10 * minuteMs
    expect(await spend(late)).toBeUndefined()
  })

  test('a link from the terminal is on record, and resets the second factor if asked to', async () => {
    const userId = await newUser()
    await control.db
      .insertInto('twoFactor')
      .values({ id: 'one', secret: 's', backupCodes: 'b', userId, verified: null })
      .execute()
    const link = (resetsTwoFactor: boolean) => createLoginLink(context, { email: 'Ada@Example.com ', resetsTwoFactor })
    expect(await link(false)).toMatchObject({ ok: true, path: expect.stringMatching(/^\/login\/link\/[\w-]{43}$/) })
    expect((await control.db.selectFrom('twoFactor').select('id').execute()).length).toBe(1)
    await link(true)
    expect(await control.db.selectFrom('twoFactor').select('id').execute()).toEqual([])
    expect(await actions()).toEqual(['user.create', 'user.login_link', 'user.two_factor_reset', 'user.login_link'])
    expect(await createLoginLink(context, { email: 'eve@example.com', resetsTwoFactor: false })).toEqual({
      ...{ ok: false, code: 'user_not_found' },
    })
  })

  test('a link by mail works once, proves the address, and is asked for a few times an hour only', async () => {
    const userId = await newUser()
    await control.db.updateTable('user').set({ emailVerified: sql`false` }).execute()
    const tokenOf = async () => {
      const link = await createMailLink(context, { email: 'ADA@example.com' })
      return link.ok ? (link.path.split('/').at(-1) ?? '') : ''
    }
    const token = await tokenOf()
    expect(await findLoginLink(context, token)).toEqual({
      ...{ userId, email: 'ada@example.com', name: 'Ada Lovelace', wouldEnd: { passwords: 1 } },
    })
    const spend = (given: string) => spendLoginLink(context, { token: given, password: null })
    expect(await spend(token)).toEqual({ ok: true, userId })
    expect(await spend(token)).toEqual({ ok: false, code: 'link_invalid' })
    const user = await control.db.selectFrom('user').select('emailVerified').executeTakeFirst()
    expect(Boolean(user?.emailVerified)).toBe(true)
    const late = await tokenOf()
    clock.now += 10 * minuteMs
    expect([await findLoginLink(context, late), await spend(late)]).toEqual([null, { ok: false, code: 'link_invalid' }])
    expect(await createMailLink(context, { email: 'eve@example.com' })).toMatchObject({ code: 'user_not_found' })
    const ask = (account: string, address: string) => reserveMail(context, { account, address })
    const asked: boolean[] = []
    for (let time = 0; time < 6; time++) asked.push(await ask('ada@example.com', `10.0.0.${time}`))
    expect(asked).toEqual([true, true, true, true, true, false])
    clock.now += 60 * minuteMs
    expect(await ask('ada@example.com', '10.0.0.1')).toBe(true)
  })

  test('a new password needs the present one, and ends all other sessions and links', async () => {
    const userId = await newUser()
    const { token } = await signIn('correct horse')
    await signIn('correct horse')
    const link = await createOneTimeToken(context, { purpose: 'link', userId, lifeMs: minuteMs })
    const mine = await control.db
      .selectFrom('session')
      .select('id')
      .where('token', '=', token ?? '')
      .executeTakeFirst()
    const change = { userId, current: 'correct horse', next: 'battery staple', keepSession: mine?.id ?? '' }
    expect(await setPassword(context, { ...change, current: 'wrong horse' })).toMatchObject({ code: 'password_wrong' })
    expect(await setPassword(context, { ...change, next: 'lovelace1815' })).toMatchObject({ code: 'password_personal' })
    expect((await listSessions(context, userId)).length).toBe(2)
    expect(await setPassword(context, change)).toEqual({ ok: true })
    expect((await listSessions(context, userId)).map(({ id }) => id)).toEqual([mine?.id])
    expect(await spendOneTimeToken(context, { purpose: 'link', token: link })).toBeUndefined()
    expect(await isPasswordOf(context, userId, 'correct horse')).toBe(false)
    expect(await signIn('battery staple')).toMatchObject({ token: expect.any(String) })
    await expect(signIn('correct horse')).rejects.toMatchObject({ statusCode: 401 })
  })

  describe('single sign-on', () => {
    const rules: SsoRules = {
      ...{ organizationSlug: null, allowedDomains: [], role: 'member' },
      groupRoles: [
        { group: 'dev', role: 'member' },
        { group: 'ops', role: 'admin' },
      ],
    }
    const roleIn = async (userId: string) =>
      (await control.db.selectFrom('member').select('role').where('user_id', '=', userId).executeTakeFirst())?.role

    test('groups give, change and take away the membership, its sessions and all that hangs on it', async () => {
      const made = await createOrganization(context, { slug: 'acme' })
      const organizationId = made.ok ? made.organization.id : 0
      const userId = await newUser()
      const admit = (...groups: string[]) => admitBySso(context, rules, { userId, groups })
      expect([await admit('dev'), await roleIn(userId)]).toEqual([{ ok: true }, 'member'])
      expect([await admit('dev', 'ops'), await roleIn(userId)]).toEqual([{ ok: true }, 'admin'])
      await signIn('correct horse')
      const own = { ...context, actor: `user:${userId}` }
      const invited = { organizationId, email: '', role: 'member' as const, teamIds: [], installationSecret: 's' }
      const invitation = await inviteMember(own, invited)
      await createAuthToken(own, { organizationId, name: 'mine', publicUrl: '', isPersonal: true, createdBy: userId })
      await createTeam(own, { organizationId, slug: 'ops', name: 'Ops', userIds: [userId] })
      expect([await admit('other'), await roleIn(userId)]).toEqual([{ ok: false, code: 'sso_group' }, undefined])
      // With a new membership nothing of the old one comes back.
      await admit('ops')
      const left = await control.db
        .selectFrom('auth_token')
        .select('id')
        .where('revoked_at', 'is', null)
        .unionAll(control.db.selectFrom('team_member').select('team_id as id'))
        .execute()
      expect(left).toEqual([])
      expect(await findOpenInvitation(context, invitation.ok ? invitation.token : '')).toBeNull()
      expect(await listSessions(context, userId)).toEqual([])
      expect((await actions()).filter(each => /^member\.(?:add|role|remove)$/.test(each))).toEqual([
        ...['member.add', 'member.role', 'member.remove', 'member.add'],
      ])
    })

    test('the last owner stays owner, whatever the groups say, and another one may go', async () => {
      await createOrganization(context, { slug: 'acme' })
      const owners: SsoRules = { ...rules, groupRoles: [{ group: 'owners', role: 'owner' }, ...rules.groupRoles] }
      const ada = await newUser()
      await admitBySso(context, owners, { userId: ada, groups: ['owners'] })
      expect(await admitBySso(context, owners, { userId: ada, groups: ['dev'] })).toEqual({ ok: true })
      expect(await admitBySso(context, owners, { userId: ada, groups: [] })).toEqual({ ok: true })
      expect(await roleIn(ada)).toBe('owner')
      const grace = await newUser('grace@example.com', 'battery staple')
      await admitBySso(context, owners, { userId: grace, groups: ['owners'] })
      await admitBySso(context, owners, { userId: ada, groups: ['dev'] })
      expect([await roleIn(ada), await roleIn(grace)]).toEqual(['member', 'owner'])
    })

    test('a member who was added by hand keeps the role', async () => {
      const made = await createOrganization(context, { slug: 'acme' })
      const userId = await newUser()
      await addMember(context, { organizationId: made.ok ? made.organization.id : 0, userId, role: 'owner' })
      expect(await admitBySso(context, rules, { userId, groups: ['dev'] })).toEqual({ ok: true })
      expect(await admitBySso(context, rules, { userId, groups: [] })).toEqual({ ok: true })
      expect(await roleIn(userId)).toBe('owner')
    })

    test('a domain gives a role once, and without rules nobody becomes a member', async () => {
      await createOrganization(context, { slug: 'acme' })
      const userId = await newUser()
      const open: SsoRules = { ...rules, groupRoles: [] }
      expect(await admitBySso(context, open, { userId, groups: [] })).toEqual({ ok: true })
      expect(await roleIn(userId)).toBeUndefined()
      const byDomain: SsoRules = { ...open, allowedDomains: ['example.com'], role: 'viewer' }
      expect(await admitBySso(context, byDomain, { userId, groups: [] })).toEqual({ ok: true })
      expect(await roleIn(userId)).toBe('viewer')
    })
  })

  test('a session has its address from the trusted hop, and ends by command or when it is idle', async () => {
    const userId = await newUser()
    for (const from of ['203.0.113.7', '203.0.113.8', '203.0.113.9']) await signIn('correct horse', from)
    const sessions = await listSessions(context, userId)
    expect(sessions.map(({ address }) => address).toSorted()).toEqual(['203.0.113.7', '203.0.113.8', '203.0.113.9'])
    expect(sessions[0]).toMatchObject({ method: 'password', userAgent: 'Test/1.0', seenAt: begun })
    const [first, second, third] = sessions.map(({ id }) => id)
    expect(await endSession(context, { userId: 'another', sessionId: first ?? '' })).toMatchObject({ ok: false })
    expect(await endSession(context, { userId, sessionId: first ?? '' })).toEqual({ ok: true, ended: 1 })
    expect(await endOtherSessions(context, { userId, sessionId: second ?? '' })).toEqual({
      ...{ ok: true, ended: 1, browsers: 0 },
    })
    expect((await listSessions(context, userId)).map(({ id }) => id)).toEqual([second])
    expect(third).toBeDefined()
    const touch = (seenAt: number | null) =>
      touchSession(context, { id: second ?? '', createdAt: begun, seenAt }, 14 * dayMs)
    clock.now += 14 * dayMs
    expect(await touch(begun)).toBe(true)
    expect((await listSessions(context, userId))[0]?.seenAt).toBe(clock.now)
    clock.now += 14 * dayMs + 1
    expect(await touch(begun + 14 * dayMs)).toBe(false)
    expect(await listSessions(context, userId)).toEqual([])
  })

  describe('a second factor', () => {
    const cookiesOf = (answer: Response) =>
      new Headers({
        cookie: answer.headers
          .getSetCookie()
          .map(each => each.split(';')[0])
          .join('; '),
      })
    const password = 'correct horse'
    const enter = async () =>
      cookiesOf(await auth.api.signInEmail({ body: { email: 'ada@example.com', password }, asResponse: true }))

    /** Ada with an app: its key, the code that switched it on, and the recovery codes. */
    async function addApp() {
      const userId = await newUser()
      const headers = await enter()
      const enabled = await auth.api.enableTwoFactor({ headers, body: { password, method: 'totp' } })
      const key = new URL('totpURI' in enabled ? enabled.totpURI : '').searchParams.get('secret') ?? ''
      const code = totpCode(key)
      await auth.api.verifyTOTP({ headers, body: { code } })
      const { backupCodes } = await auth.api.viewBackupCodes({ body: { userId } })
      return { key, code, backupCodes }
    }
    /** After the password, in a browser of its own. */
    const trySecond = async (given: { code: string } | { backupCode: string }) => {
      const headers = await enter()
      const call = 'code' in given ? auth.api.verifyTOTP : auth.api.verifyBackupCode
      const code = 'code' in given ? given.code : given.backupCode
      const answer = await call({ headers, body: { code }, asResponse: true })
      return answer.status === 200
    }
    const countSessions = async () => (await control.db.selectFrom('session').select('id').execute()).length

    test('a code of the app works once, also for two at the same time', async () => {
      const { key, code } = await addApp()
      expect(await trySecond({ code })).toBe(false)
      const next = totpCode(key, Date.now() + 30_000)
      const before = await countSessions()
      const tries = await Promise.all([trySecond({ code: next }), trySecond({ code: next })])
      expect(tries.toSorted()).toEqual([false, true])
      expect(await trySecond({ code: next })).toBe(false)
      expect(await countSessions()).toBe(before + 1)
    })

    test('a recovery code works once, also for two at the same time', async () => {
      const { backupCodes } = await addApp()
      const [backupCode = '', other = ''] = backupCodes
      const tries = await Promise.all([trySecond({ backupCode }), trySecond({ backupCode })])
      expect(tries.toSorted()).toEqual([false, true])
      expect(await trySecond({ backupCode })).toBe(false)
      expect(await trySecond({ backupCode: other })).toBe(true)
    })
  })

  test('a session that somebody else has chosen is not taken over', async () => {
    await newUser()
    const set = async (headers: Headers) => {
      const body = { email: 'ada@example.com', password: 'correct horse' }
      const answer = await auth.api.signInEmail({ body, headers, asResponse: true })
      return (
        answer.headers
          .getSetCookie()
          .find(each => each.includes('session_token='))
          ?.split(';')[0] ?? ''
      )
    }
    const planted = await set(new Headers())
    expect(planted).not.toBe('')
    const own = await set(new Headers({ cookie: planted }))
    expect([own === '', own === planted]).toEqual([false, false])
  })

  test('a passkey is of one account: nobody else adds, removes or copies it', async () => {
    const [userId, other] = [await newUser(), await newUser('eve@example.com')]
    const key = { name: 'phone', credentialId: 'c1', publicKey: 'k', counter: 5, transports: '[]' }
    for (const email of ['ada@example.com', 'eve@example.com'])
      await auth.api.signInEmail({ body: { email, password: 'correct horse' } })
    const add = async (owner: string) => {
      const [session] = await listSessions(context, owner)
      return addPasskey(context, { ...key, userId: owner, sessionId: session?.id ?? '' })
    }
    expect([await add(userId), await add(other)]).toEqual([{ ok: true }, { ok: false, code: 'passkey_known' }])
    const passkey = await findPasskey(context, 'c1')
    if (passkey === undefined) throw new Error('the key is gone')
    expect(passkey.userId).toBe(userId)
    expect(await deletePasskey(context, { userId: other, id: passkey.id })).toMatchObject({ ok: false })
    // The copy of a key answers with a counter that has been seen.
    expect([await notePasskeyUse(context, passkey, 6), await notePasskeyUse(context, passkey, 6)]).toEqual([
      true,
      false,
    ])
    // Whoever begins to add a key has a challenge of their own.
    const token = await createOneTimeToken(context, { purpose: 'add-passkey', userId, lifeMs: minuteMs })
    expect((await spendOneTimeToken(context, { purpose: 'add-passkey', token }))?.userId).toBe(userId)
  })

  test('a new second factor ends the sessions that had none', async () => {
    const userId = await newUser()
    for (let count = 0; count < 3; count++) await signIn('correct horse')
    const [strong] = await listSessions(context, userId)
    await markStrong(context, { id: userId, sessionId: strong?.id ?? '' })
    await revokeCredentials(context, 'app_added', { userId })
    expect((await listSessions(context, userId)).map(({ id }) => id)).toEqual([strong?.id])
  })
})

/** The column types of SQLite and PostgreSQL for each type of better-auth. */
const kinds: Record<string, string[]> = {
  string: ['text'],
  boolean: ['integer', 'bool'],
  date: ['date', 'timestamptz'],
  number: ['integer', 'int8'],
}
