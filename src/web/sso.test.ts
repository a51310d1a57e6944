import { expect, test } from 'vitest'
import { discoveryUrl, groupsOf, hasMfaClaim } from './sso.ts'

test.each([
  [{}, false],
  [{ amr: 'mfa' }, false],
  [{ amr: ['pwd'] }, false],
  [{ amr: ['otp'] }, false],
  [{ amr: ['pwd', 'otp'] }, true],
  [{ amr: ['mfa'] }, true],
])('%j says that there was a second factor: %s', (claims, isStrong) => {
  expect(hasMfaClaim(claims)).toBe(isStrong)
})

test('groups are a list of names or one name, and everything else is none', () => {
  expect(groupsOf({ groups: ['ops', 7, 'dev'] }, 'groups')).toEqual(['ops', 'dev'])
  expect(groupsOf({ roles: 'ops' }, 'roles')).toEqual(['ops'])
  expect(groupsOf({ groups: { ops: true } }, 'groups')).toEqual([])
})

test('an issuer may end with a slash', () => {
  expect(discoveryUrl('https://id.acme.dev/realm/')).toBe('https://id.acme.dev/realm/.well-known/openid-configuration')
})
