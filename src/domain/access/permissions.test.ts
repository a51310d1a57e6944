import { expect, test } from 'vitest'
import type { MemberRole } from '#store/control/schema.ts'
import { lowerRole, may, mayGrantRole, type Permission, roleFor } from './permissions.ts'

const changes: Permission[] = [
  'issue:write',
  'issue:comment',
  'issue:delete',
  'issue:discard',
  'rule:write',
  'project:create',
  'project:write',
  'project:delete',
  'key:write',
  'token:write',
  'member:write',
  'channel:write',
  'owner:write',
  'organization:write',
  'organization:delete',
]

test('a viewer can read projects, issues and members and change nothing', () => {
  expect(
    ['project:read', 'issue:read', 'member:read'].every(permission => may('viewer', permission as Permission)),
  ).toBe(true)
  expect(changes.filter(permission => may('viewer', permission))).toEqual([])
})

test('a member can change issues, write rules and create projects, but not grant access', () => {
  expect(changes.filter(permission => may('member', permission))).toEqual([
    'issue:write',
    'issue:comment',
    'rule:write',
    'project:create',
  ])
})

test('an admin can do everything except change the organization or its owners', () => {
  expect(changes.filter(permission => !may('admin', permission))).toEqual([
    'owner:write',
    'organization:write',
    'organization:delete',
  ])
})

test('an owner can do everything', () => {
  expect(changes.every(permission => may('owner', permission))).toBe(true)
})

test('each role can do everything that the role below it can', () => {
  const roles: MemberRole[] = ['viewer', 'member', 'admin', 'owner']
  for (const [index, role] of roles.entries()) {
    const above = roles[index + 1]
    if (above === undefined) continue
    expect(changes.filter(permission => may(role, permission) && !may(above, permission))).toEqual([])
  }
})

test('only an owner can grant the owner role', () => {
  expect(mayGrantRole('owner', 'owner')).toBe(true)
  expect(mayGrantRole('admin', 'owner')).toBe(false)
  expect(mayGrantRole('admin', 'admin')).toBe(true)
  expect(mayGrantRole('member', 'viewer')).toBe(false)
})

test('a refusal names the lowest role that is enough', () => {
  expect(roleFor('issue:write')).toBe('member')
  expect(roleFor('member:write')).toBe('admin')
  expect(roleFor('owner:write')).toBe('owner')
  expect([lowerRole('owner', 'admin'), lowerRole('viewer', 'admin')]).toEqual(['admin', 'viewer'])
})
