import { expect, test } from 'vitest'
import { discoveryUrl, groupsOf, hasMfaClaim, isConfirmed } from './sso.ts'

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

test('groups are a list of names or one name, and everything else says nothing about them', () => {
  expect(groupsOf({ groups: ['ops', 'dev'] }, 'groups')).toEqual(['ops', 'dev'])
  expect(groupsOf({ roles: 'ops' }, 'roles')).toEqual(['ops'])
  expect(groupsOf({ groups: [] }, 'groups')).toEqual([])
  for (const groups of [undefined, null, 7, true, { ops: true }, ['ops', 7], [null]])
    expect(groupsOf({ groups }, 'groups'), JSON.stringify(groups)).toBeNull()
})

test.each([
  [{ confirmed_at: '2012-05-23T09:05:22Z' }, true],
  [{ confirmed_at: '2012-05-23T09:05:22Z', email_verified: true }, true],
  [{ confirmed_at: '2012-05-23T09:05:22Z', email_verified: false }, false],
  [{ confirmed_at: '2012-05-23T09:05:22Z', email_verified: 'false' }, false],
  [{ confirmed_at: '2012-05-23T09:05:22Z', email_verified: null }, false],
  [{ confirmed_at: null }, false],
  [{ confirmed_at: '' }, false],
  [{ confirmed_at: 'never' }, false],
  [{ confirmed_at: true }, false],
  [{ email_verified: true }, false],
  [{}, false],
])('GitLab has confirmed the address of %j: %s', (profile, isKnown) => {
  expect(isConfirmed(profile)).toBe(isKnown)
})

test('an issuer may end with a slash', () => {
  expect(discoveryUrl('https://id.acme.dev/realm/')).toBe('https://id.acme.dev/realm/.well-known/openid-configuration')
})
