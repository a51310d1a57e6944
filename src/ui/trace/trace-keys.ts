import type { KeyRow } from '../keys/key-help.tsx'

export const traceKeys: KeyRow[] = [
  { keys: ['J', 'K'], does: 'next, previous span' },
  { keys: ['→', '←'], does: 'unfold or go in, fold or go out' },
  { keys: ['↵'], does: 'details of the span' },
  { keys: ['N', '⇧N'], does: 'next, previous error' },
  { keys: ['[', ']'], does: 'zoom out, zoom in' },
  { keys: ['F'], does: 'filter spans' },
  { keys: ['Esc'], does: 'close the details' },
  { keys: ['?'], does: 'this list' },
]
