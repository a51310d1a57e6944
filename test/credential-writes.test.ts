/** Which files write what signs people in. A new path that makes an account, verifies an address or ends a credential fails here first. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '../src')
const files = globSync('**/*.{ts,tsx}', { cwd: src })
  .map(path => path.replaceAll('\\', '/'))
  .filter(file => !file.endsWith('.test.ts') && !file.startsWith('store/control/migrations/'))

function listWrites(pattern: RegExp): string[] {
  return files
    .flatMap(file => {
      const source = readFileSync(join(src, file), 'utf8')
      return [...source.matchAll(pattern)].map(([, verb = '', what = '']) => `${file} ${verb} ${what}`.trim())
    })
    .filter((each, index, all) => all.indexOf(each) === index)
    .toSorted()
}

const tables = ['user', 'session', 'account', 'passkey', 'twoFactor', 'verification', 'one_time_token'].join('|')

test('credentials end in one place, apart from single ones that their owner ends', () => {
  expect(listWrites(new RegExp(String.raw`(deleteFrom)\(\s*'(${tables})'`, 'g'))).toEqual([
    // A token that was used, or is too old.
    'domain/sign-in/one-time-token.ts deleteFrom one_time_token',
    // A passkey of the member's choice.
    'domain/sign-in/passkeys.ts deleteFrom passkey',
    // A session of the member's choice, or that was idle.
    'domain/sign-in/sessions.ts deleteFrom session',
    // The session that began with a password that was replaced meanwhile.
    'domain/sign-in/set-password.ts deleteFrom session',
    // A trusted browser of the member's choice.
    'domain/sign-in/trusted-browsers.ts deleteFrom verification',
  ])
})

test('accounts are made and addresses verified in these places only', () => {
  expect(listWrites(new RegExp(String.raw`(insertInto)\(\s*'(${tables})'`, 'g'))).toEqual([
    'domain/members/add-member.ts insertInto account',
    'domain/members/add-member.ts insertInto user',
    'domain/sign-in/one-time-token.ts insertInto one_time_token',
    'domain/sign-in/passkeys.ts insertInto passkey',
    'domain/sign-in/set-password.ts insertInto account',
  ])
  // `sso-gate` passes the provider's answer to better-auth. An account that someone else may have made goes through `verifyAddress` first.
  expect(listWrites(/\b(emailVerified|isEmailVerified): /g)).toEqual([
    'domain/members/add-member.ts emailVerified',
    'domain/members/add-member.ts isEmailVerified',
    'domain/projects/provision.ts isEmailVerified',
    'domain/sign-in/sso-membership.ts isEmailVerified',
    'domain/sign-in/verify-address.ts emailVerified',
    'store/control/auth-schema.ts emailVerified',
    'web/sso-gate.ts emailVerified',
    'web/sso-gate.ts isEmailVerified',
  ])
  expect(listWrites(/\b(verifyAddress)\(/g)).toEqual([
    'app/(entry)/login/proxy/route.ts verifyAddress',
    'domain/members/add-member.ts verifyAddress',
    'domain/sign-in/login-link.ts verifyAddress',
    'domain/sign-in/verify-address.ts verifyAddress',
    'web/sso-gate.ts verifyAddress',
  ])
})
