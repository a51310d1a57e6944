'use client'
import type { Command } from '#ui/commands/command.ts'
import { ownKeys } from '#ui/commands/command.ts'
import { useCommands } from '#ui/commands/use-commands.ts'
import type { RowFocus } from './use-row-focus.ts'
import type { Selection } from './use-selection.ts'

type Props = { ids: number[]; rowFocus: RowFocus; selection: Selection; hasFresh: boolean; showFresh: () => void }

/** Moves the cursor, opens and selects rows. */
export function useListCommands({ ids, rowFocus, selection, hasFresh, showFresh }: Props): void {
  const hasCursor = () => rowFocus.cursor() !== null
  function step(by: 1 | -1): void {
    const from = rowFocus.cursor()
    const to = from ? Math.min(Math.max(ids.indexOf(from.id) + by, 0), ids.length - 1) : 0
    const next = ids[to]
    if (next !== undefined) rowFocus.focus(next)
  }
  function select(isRange: boolean): void {
    const cursor = rowFocus.cursor()
    if (cursor) selection.toggle(cursor.id, isRange)
  }
  /** A full navigation opens the page instead of the peek. */
  function visit(): void {
    const cursor = rowFocus.cursor()
    if (!cursor) return
    history.replaceState({ ...(history.state as object | null), issueRow: String(cursor.id) }, '')
    location.assign(cursor.link.href)
  }
  const move = (id: string, rest: Omit<Command, 'id' | 'kind'>): Command => ({
    id: `issues.${id}`,
    kind: 'move',
    acceptsFocus: isInList,
    ...rest,
  })
  const both = 'Next, previous issue'
  const selects = 'Select, select up to here'
  useCommands([
    move('next', { label: 'Next issue', help: both, shortcut: 'j', run: () => step(1) }),
    move('previous', { label: 'Previous issue', help: both, shortcut: 'k', run: () => step(-1) }),
    // Without a cursor, the arrow keys scroll the page.
    move('down', { label: 'Next issue', aliases: ['ArrowDown'], isAvailable: hasCursor, run: () => step(1) }),
    move('up', { label: 'Previous issue', aliases: ['ArrowUp'], isAvailable: hasCursor, run: () => step(-1) }),
    move('open', {
      label: 'Open the issue',
      shortcut: 'Enter',
      isAvailable: () => rowFocus.cursor()?.link === document.activeElement,
      run: visit,
    }),
    move('preview', {
      label: 'Preview the issue',
      shortcut: ' ',
      // Space on the checkbox of a row selects it.
      isAvailable: () => hasCursor() && !(document.activeElement instanceof HTMLInputElement),
      // A click, so that the link shows that it is loading.
      run: () => rowFocus.cursor()?.link.click(),
    }),
    move('select', {
      label: 'Select the issue',
      help: selects,
      shortcut: 'x',
      isAvailable: hasCursor,
      run: () => select(false),
    }),
    move('select-range', {
      label: 'Select up to here',
      help: selects,
      shortcut: 'Shift+x',
      isAvailable: hasCursor,
      run: () => select(true),
    }),
    move('clear', {
      label: 'Clear the selection',
      shortcut: 'Escape',
      isAvailable: () => selection.count > 0,
      run: selection.clear,
    }),
    {
      id: 'issues.fresh',
      label: 'Show new issues',
      kind: 'view',
      shortcut: 'r',
      acceptsFocus: isInList,
      isAvailable: () => hasFresh,
      run: showFresh,
    },
  ])
}

/** The peek handles its own keys. The checkbox of a row only handles Space. */
export function isInList(focused: Element): boolean {
  return focused.matches('.irow .check') || focused.closest(`${ownKeys}, .peek`) === null
}
