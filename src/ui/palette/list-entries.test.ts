import { expect, test } from 'vitest'
import type { Command } from '../commands/command.ts'
import { listEntries, matchEntries } from './list-entries.ts'

const run = () => {}
const commands: Command[] = [
  { id: 'sign-out', label: 'Sign out', kind: 'app', run },
  { id: 'resolve', label: 'Resolve', kind: 'change', shortcut: 'e', run },
  { id: 'next', label: 'Next issue', kind: 'move', shortcut: 'j', run },
]
const links = [
  { id: '2', label: 'Issues', note: 'page', href: '/acme/issues' },
  { id: '3', label: 'shop', note: 'project', href: '/acme/projects/shop' },
]
const entries = listEntries(commands, links)
const labels = (text: string) => matchEntries(entries, text, '/acme').map(({ label }) => label)

test('an empty search lists the commands of the page first, with their shortcuts', () => {
  expect(labels(' ')).toEqual(['Resolve', 'Issues', 'shop', 'Sign out'])
  expect(entries[0]).toMatchObject({ group: 'This page', shortcut: 'e' })
})

test('recent items follow the commands of the page, except the pages that are listed anyway', () => {
  const recent = [
    { id: 'a', label: 'TypeError: x', note: 'WEB-1', href: '/acme/issues/1' },
    { id: 'b', label: 'Issues', note: 'page', href: '/acme/issues' },
  ]
  const withRecent = matchEntries(listEntries(commands, links, recent), '', '/acme')
  expect(withRecent.map(({ group, label }) => `${group}: ${label}`).slice(0, 3)).toEqual([
    'This page: Resolve',
    'Recent: TypeError: x',
    'Go to: Issues',
  ])
})

test('a command that two components offer is listed once', () => {
  const undo = { id: 'undo', label: 'Undo', kind: 'change', run } as const
  expect(listEntries([undo, undo], [])).toHaveLength(1)
})

test('offers the issue for a short id, and a search for any text', () => {
  expect(labels('web-42')).toEqual(['Issue WEB-42', 'Search issues for “web-42”'])
  expect(matchEntries(entries, 'a&b', '/acme')[0]).toMatchObject({ href: '/acme/issues?q=a%26b' })
})

test('words match in any order, including the note', () => {
  expect(labels('project sh')[0]).toBe('shop')
})
