'use client'
import type { Command } from '#ui/commands/command.ts'
import { ownKeys } from '#ui/commands/command.ts'
import { keys } from '#ui/commands/keys.ts'
import { useCommands } from '#ui/commands/use-commands.ts'
import { findPeek } from './triage.ts'
import type { RowFocus } from './use-row-focus.ts'
import type { Selection } from './use-selection.ts'

type Props = { ids: number[]; rowFocus: RowFocus; selection: Selection; hasFresh: boolean; showFresh: () => void }

/** Moves the cursor, opens and selects rows. */
export function useListCommands({ ids, rowFocus, selection, hasFresh, showFresh }: Props): void {
  const hasCursor = () => rowFocus.cursor() !== null
  /** From the cursor, else from the issue in the peek, else from the row that had focus last. */
  function step(by: 1 | -1): void {
    const from = rowFocus.cursor()?.id ?? findPeek()?.issueId ?? rowFocus.last()
    const at = from === null ? -1 : ids.indexOf(from)
    const next = ids[at < 0 ? 0 : Math.min(Math.max(at + by, 0), ids.length - 1)]
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
  const repeated = { isRepeated: true, acceptsFocus: isInListOrPeek }
  useCommands([
    move('next', { ...keys.next, ...repeated, label: 'Next issue', run: () => step(1) }),
    move('previous', { ...keys.previous, ...repeated, label: 'Previous issue', run: () => step(-1) }),
    // Without a cursor, the arrow keys scroll the page.
    move('down', {
      label: 'Next issue',
      aliases: ['ArrowDown'],
      isRepeated: true,
      isAvailable: hasCursor,
      run: () => step(1),
    }),
    move('up', {
      label: 'Previous issue',
      aliases: ['ArrowUp'],
      isRepeated: true,
      isAvailable: hasCursor,
      run: () => step(-1),
    }),
    move('open', {
      ...keys.open,
      label: 'Open the issue',
      isAvailable: () => rowFocus.cursor()?.link === document.activeElement,
      run: visit,
    }),
    move('preview', {
      ...keys.preview,
      label: 'Preview the issue',
      // Space on the checkbox of a row selects it.
      isAvailable: () => hasCursor() && !(document.activeElement instanceof HTMLInputElement),
      // A click, so that the link shows that it is loading.
      run: () => rowFocus.cursor()?.link.click(),
    }),
    move('select', {
      ...keys.select,
      label: 'Select the issue',
      isAvailable: hasCursor,
      run: () => select(false),
    }),
    move('select-range', {
      ...keys.selectRange,
      label: 'Select up to here',
      isAvailable: hasCursor,
      run: () => select(true),
    }),
    move('clear', {
      ...keys.clear,
      label: 'Clear the selection',
      isAvailable: () => selection.count > 0,
      run: selection.clear,
    }),
    {
      id: 'issues.fresh',
      ...keys.fresh,
      label: 'Show new issues',
      kind: 'view',
      acceptsFocus: isInList,
      isAvailable: () => hasFresh,
      run: showFresh,
    },
  ])
}

/** In the peek, keys are about its issue. */
export const isInList = (focused: Element): boolean => focused.closest(`${ownKeys}, .peek`) === null

/** Moves start from the peek too. */
const isInListOrPeek = (focused: Element): boolean => focused.closest(ownKeys) === null
