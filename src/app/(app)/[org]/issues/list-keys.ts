import type { KeyRow } from '#ui/keys/key-help.tsx'

export const listKeys: KeyRow[] = [
  { keys: ['J', 'K'], does: 'next, previous issue' },
  { keys: ['↵'], does: 'open the page' },
  { keys: ['Space'], does: 'peek' },
  { keys: ['X', '⇧X'], does: 'select, select up to here' },
  { keys: ['E'], does: 'resolve' },
  { keys: ['A'], does: 'assign' },
  { keys: ['Z'], does: 'archive' },
  { keys: ['M'], does: 'merge' },
  { keys: ['⌘Z'], does: 'undo the last change' },
  { keys: ['R'], does: 'show new issues' },
  { keys: ['/'], does: 'search' },
  { keys: ['Esc'], does: 'clear the selection' },
  { keys: ['?'], does: 'this list' },
]
