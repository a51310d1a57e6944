/** An account that a stranger made for another person's address, with everything that lets the stranger in again. */
import { sql } from 'kysely'
import type { CommandContext } from '#domain/access/command-context.ts'
import { acceptAsNewUser } from '#domain/members/accept-invitation.ts'
import { inviteMember } from '#domain/members/invite-member.ts'
import { createOrganization } from '#domain/projects/create-project.ts'
import { createOneTimeToken } from '#domain/sign-in/one-time-token.ts'
import { addPasskey } from '#domain/sign-in/passkeys.ts'
import { createAuthToken } from '#domain/tokens/create-auth-token.ts'
import type { Control } from '#store/control/control.ts'
import type { createAuth } from '#web/create-auth.ts'
import { totpCode } from '../totp-code.ts'

export const squatted = { email: 'ceo@example.com', password: 'chosen by somebody else' }
export const installationSecret = 'a secret of this installation'

type Auth = ReturnType<typeof createAuth>

/** The cookies that a browser sends after these responses. */
export class CookieJar {
  readonly #jar = new Map<string, string>()
  keep(answer: Response): Response {
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split(/=(.*)/s) ?? []
      if (/max-age=0/i.test(line)) this.#jar.delete(name)
      else this.#jar.set(name, value)
    }
    return answer
  }
  copy(): CookieJar {
    const jar = new CookieJar()
    for (const [name, value] of this.#jar) jar.#jar.set(name, value)
    return jar
  }
  forget(part: string): void {
    for (const name of this.#jar.keys()) if (name.includes(part)) this.#jar.delete(name)
  }
  headers(): Headers {
    return new Headers({
      cookie: [...this.#jar].map(pair => pair.join('=')).join('; '),
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    })
  }
}

export async function signInWithPassword(
  auth: Auth,
  jar: CookieJar,
  { email, password } = squatted,
): Promise<Response> {
  return jar.keep(await auth.api.signInEmail({ body: { email, password }, headers: jar.headers(), asResponse: true }))
}

/** Adds an authenticator app in a browser, and trusts the browser with the code after it. Gives the key of the app. */
export async function addAppAndTrust(auth: Auth, jar: CookieJar, who = squatted): Promise<string> {
  await signInWithPassword(auth, jar, who)
  const enabled = await auth.api.enableTwoFactor({
    headers: jar.headers(),
    body: { password: who.password, method: 'totp' },
  })
  const key = new URL('totpURI' in enabled ? enabled.totpURI : '').searchParams.get('secret') ?? ''
  jar.keep(await auth.api.verifyTOTP({ headers: jar.headers(), body: { code: totpCode(key) }, asResponse: true }))
  jar.forget('session')
  await signInWithPassword(auth, jar, who)
  const code = totpCode(key, Date.now() + 30_000)
  jar.keep(await auth.api.verifyTOTP({ headers: jar.headers(), body: { code, trustDevice: true }, asResponse: true }))
  return key
}

/** Another organization's admin invites the address, opens the link and sets up whatever there is. */
export async function addSquatter(context: CommandContext, auth: Auth) {
  const made = await createOrganization(context, { slug: 'evil' })
  if (!made.ok) throw new Error(made.code)
  const organizationId = made.organization.id
  const invited = { organizationId, role: 'admin' as const, teamIds: [], installationSecret }
  const invitation = await inviteMember(context, { ...invited, email: squatted.email })
  if (!invitation.ok) throw new Error(invitation.code)
  const joined = await acceptAsNewUser(
    { ...context, actor: 'invitation' },
    { token: invitation.token, name: 'Chief', ...squatted },
  )
  if (!joined.ok) throw new Error(joined.code)
  const { id: userId } = await context.db
    .selectFrom('user')
    .select('id')
    .where('email', '=', squatted.email)
    .executeTakeFirstOrThrow()
  const jar = new CookieJar()
  await addAppAndTrust(auth, jar)
  const session = await context.db
    .selectFrom('session')
    .select('id')
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  const key = { name: 'theirs', credentialId: 'c1', publicKey: 'k', counter: 0, transports: '[]' }
  await addPasskey(context, { ...key, userId, sessionId: session.id })
  await createOneTimeToken(context, { purpose: 'link', userId, lifeMs: 60_000 })
  const own = { ...context, actor: `user:${userId}` }
  await createAuthToken(own, { organizationId, name: 'mine', publicUrl: '', isPersonal: true, createdBy: userId })
  await inviteMember(own, { ...invited, email: '' })
  return { userId, organizationId, jar }
}

/** The kinds of access that are still open, empty if all have ended. Doesn't use the code that ends them. */
export async function listWaysIn({ db }: Pick<Control, 'db'>, userId: string): Promise<string[]> {
  const open = sql`accepted_at is null and revoked_at is null`
  const counts = {
    sessions: sql`select id from session where "userId" = ${userId}`,
    passwords: sql`select id from account where "userId" = ${userId} and password is not null`,
    providers: sql`select id from account where "userId" = ${userId} and "providerId" <> 'credential'`,
    passkeys: sql`select id from passkey where user_id = ${userId}`,
    apps: sql`select id from "twoFactor" where "userId" = ${userId}`,
    'trusted browsers or half sign-ins': sql`select id from verification where value = ${userId}`,
    'links or challenges': sql`select purpose from one_time_token where user_id = ${userId}`,
    'personal tokens': sql`select id from auth_token where user_id = ${userId} and revoked_at is null`,
    invitations: sql`select id from invitation where invited_by = ${userId} and ${open}`,
  }
  const left: string[] = []
  for (const [kind, query] of Object.entries(counts)) if ((await query.execute(db)).rows.length > 0) left.push(kind)
  return left
}
