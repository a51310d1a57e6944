import { expect, test } from 'vitest'
import type { Command } from '../commands/command.ts'
import { helpRows } from './key-help.tsx'

const run = () => {}
const commands: Command[] = [
  { id: 'undo', label: 'Undo', help: 'Undo the last change', kind: 'change', shortcut: 'Mod+z', run },
  { id: 'next', label: 'Next issue', help: 'Next, previous issue', kind: 'move', shortcut: 'j', run },
  { id: 'previous', label: 'Previous issue', help: 'Next, previous issue', kind: 'move', shortcut: 'k', run },
  { id: 'end', label: 'Last issue', kind: 'move', aliases: ['End'], run },
  { id: 'priority', label: 'Priority high', kind: 'change', run },
  { id: 'undo', label: 'Undo', help: 'Undo the last change', kind: 'change', shortcut: 'Mod+z', run },
]

test('commands with the same text share a row, and those without a shortcut have none', () => {
  expect(helpRows(commands, true)).toEqual([
    { does: 'Next, previous issue', keys: ['J', 'K'] },
    { does: 'Undo the last change', keys: ['⌘Z'] },
  ])
})
