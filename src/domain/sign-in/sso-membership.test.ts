import { expect, test } from 'vitest'
import { findSsoFault, roleOfGroups, type SsoRules } from './sso-membership.ts'

const closed: SsoRules = { organizationSlug: null, allowedDomains: [], groupRoles: [], role: 'member' }
const byDomain: SsoRules = { ...closed, allowedDomains: ['acme.dev'] }
const byGroup: SsoRules = {
  ...closed,
  groupRoles: [
    { group: 'everyone', role: 'viewer' },
    { group: 'ops', role: 'admin' },
  ],
}
const person = (email: string, groups: string[] | null = [], isEmailVerified = true) => ({
  email,
  groups,
  isEmailVerified,
})

test('the highest role of all groups counts', () => {
  expect(roleOfGroups(byGroup, ['ops', 'everyone'])).toBe('admin')
  expect(roleOfGroups(byGroup, ['everyone'])).toBe('viewer')
  expect(roleOfGroups(byGroup, ['Ops', 'constructor'])).toBeNull()
})

test.each([
  ['no new people without a rule', closed, person('eve@acme.dev'), true, 'sso_not_invited'],
  ['members without a rule', closed, person('eve@acme.dev'), false, null],
  ['new people of a domain', byDomain, person('eve@ACME.dev'), true, null],
  ['no other domain', byDomain, person('eve@acme.dev.evil.example'), true, 'sso_domain'],
  ['no other domain, also for members', byDomain, person('eve@evil.example'), false, 'sso_domain'],
  ['no unverified address', byDomain, person('eve@acme.dev', [], false), true, 'sso_unverified'],
  ['new people of a group', byGroup, person('eve@any.example', ['ops']), true, null],
  [
    'no new people with an unverified address',
    byGroup,
    person('eve@any.example', ['ops'], false),
    true,
    'sso_unverified',
  ],
  ['no new people with unknown groups', byGroup, person('eve@any.example', null), true, 'sso_groups_unknown'],
  ['members with unknown groups, for now', byGroup, person('eve@any.example', null), false, null],
  ['no new people without a group', byGroup, person('eve@any.example', ['other']), true, 'sso_group'],
] as const)('single sign-on admits %s', (_, rules, identity, isNew, fault) => {
  expect(findSsoFault(rules, identity, { isNew })).toBe(fault)
})
