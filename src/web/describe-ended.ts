import type { Credential, Ended } from '#domain/sign-in/revoke-credentials.ts'
import { formatWhole } from '#lib/format-whole.ts'

/** The singular and plural name of each kind. Skips kinds that users have no name for, such as an unfinished sign-in. */
const words: Partial<Record<Credential, readonly [one: string, many: string]>> = {
  passwords: ['the password', 'the passwords'],
  sessions: ['1 session', 'sessions'],
  apps: ['the authenticator app', 'the authenticator apps'],
  passkeys: ['1 passkey', 'passkeys'],
  trustedBrowsers: ['1 trusted browser', 'trusted browsers'],
  providers: ['the link to an identity provider', 'the links to identity providers'],
  tokens: ['1 personal token', 'personal tokens'],
  invitations: ['1 open invitation', 'open invitations'],
}

const list = new Intl.ListFormat('en-US')

/** `the password, 2 sessions, and 1 passkey`; empty if nothing of it has a word. */
export function describeEnded(ended: Ended): string {
  const parts = Object.entries(words).flatMap(([kind, [one, many]]) => {
    const count = ended[kind as Credential] ?? 0
    if (count === 0) return []
    return [count === 1 ? one : many.startsWith('the ') ? many : `${formatWhole(count)} ${many}`]
  })
  return list.format(parts)
}
