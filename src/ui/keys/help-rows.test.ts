import { expect, test } from 'vitest'
import type { Command } from '../commands/command.ts'
import { keys } from '../commands/keys.ts'
import { helpRows } from './help-rows.ts'

const run = () => {}
const commands: Command[] = [
  { ...keys.undo, id: 'undo', label: 'Undo', kind: 'change', run },
  { ...keys.jump, id: 'jump', label: 'Jump', kind: 'move', run },
  { ...keys.next, id: 'next', label: 'Next issue', kind: 'move', run },
  { ...keys.previous, id: 'previous', label: 'Previous issue', kind: 'move', run },
  { id: 'end', label: 'Last issue', kind: 'move', aliases: ['End'], run },
  { id: 'priority', label: 'Priority high', kind: 'change', run },
  { ...keys.undo, id: 'undo', label: 'Undo', kind: 'change', run },
  { id: 'zoom', label: 'Zoom in', kind: 'view', shortcut: '+', run },
]

test('commands with the same text share a row, and those without a shortcut have none', () => {
  expect(helpRows(commands, true)).toEqual([
    { does: 'Zoom in', keys: ['+'] },
    { does: 'Next, previous issue', keys: ['J', 'K'] },
    { does: 'Undo the last change, then the one before', keys: ['Z'] },
    { does: keys.jump.help, keys: ['⌘K'] },
  ])
})
