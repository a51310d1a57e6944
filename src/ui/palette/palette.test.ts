import { expect, test } from 'vitest'
import { matchEntries } from './palette.tsx'
import type { PaletteEntry } from './palette-entry.ts'

const entries: PaletteEntry[] = [
  { id: '1', group: 'This page', label: 'Resolve', press: 'resolve:now' },
  { id: '2', group: 'Go to', label: 'Issues', note: 'page', href: '/acme/issues' },
  { id: '3', group: 'Go to', label: 'shop', note: 'project', href: '/acme/projects/shop' },
]
const labels = (text: string) => matchEntries(entries, text, '/acme').map(({ label }) => label)

test('an empty search lists the actions of the page first', () => {
  expect(labels(' ')).toEqual(['Resolve', 'Issues', 'shop'])
})

test('offers the issue for a short id, and a search for any text', () => {
  expect(labels('web-42')).toEqual(['Issue WEB-42', 'Search issues for “web-42”'])
  expect(matchEntries(entries, 'a&b', '/acme')[0]).toMatchObject({ href: '/acme/issues?q=a%26b' })
})

test('words match in any order, including the note', () => {
  expect(labels('project sh')[0]).toBe('shop')
})
