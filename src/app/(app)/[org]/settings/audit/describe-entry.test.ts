import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeAction, describeActor, describeChange } from './describe-entry.ts'

test('an action reads as a sentence', () => {
  expect(describeAction('member.role')).toBe('Changed role of member')
  expect(describeAction('auth_token.create')).toBe('Created token')
})

test('every action that is written has words', () => {
  const src = join(import.meta.dirname, '../../../../..')
  const written = /(?:action\b[^'\n]*|writeIssueAudit\(\w+, )'(\w+\.\w+)'(?:[^'\n]*'(\w+\.\w+)')?/g
  const actions = globSync('{domain,jobs}/**/*.ts', { cwd: src }).flatMap(path =>
    [...readFileSync(join(src, path), 'utf8').matchAll(written)].flatMap(([, one = '', other]) =>
      other === undefined ? [one] : [one, other],
    ),
  )
  expect(actions.length).toBeGreaterThan(25)
  expect(actions.filter(action => !/^[A-Z]/.test(describeAction(action)))).toEqual([])
})

test('a change shows both values, and only what differs', () => {
  const changed = (before: object, after: object, action = 'member.role') =>
    describeChange({ action, detail: {}, before: { ...before }, after: { ...after } })
  expect(changed({ role: 'member' }, { role: 'viewer' })).toEqual(['member → viewer'])
  expect(changed({ private: false, teams: 'a' }, { private: true, teams: 'a' })).toEqual(['private: no → yes'])
  expect(changed({}, { filter: 'level:error', owner: 'user:1' }, 'rule.change')).toEqual([
    'filter: none → level:error',
    'owner: none → a member',
  ])
  expect(changed({}, { name: 'rule', when: 'new-issue' }, 'rule.create')).toEqual(['when: new-issue'])
  expect(describeChange({ action: '', before: {}, after: {}, detail: { slug: 'web', issues: 3 } })).toEqual([
    'issues: 3',
  ])
})

test('an actor without a name is what it is', () => {
  expect(describeActor({ actor: 'user:1', actorLabel: 'Ada' })).toBe('Ada')
  expect(describeActor({ actor: 'cli', actorLabel: '' })).toBe('terminal')
  expect(describeActor({ actor: 'maintenance', actorLabel: '' })).toBe('maintenance')
})
