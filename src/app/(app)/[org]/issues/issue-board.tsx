'use client'
import { type ReactNode, type RefObject, useActionState, useEffect, useRef, useState } from 'react'
import { NoDefaultButton } from '#ui/buttons.tsx'
import { IssueRow, type IssueRowData } from '#ui/issue-list/issue-row.tsx'
import { KeyHelp } from '#ui/keys/key-help.tsx'
import { Link } from '#ui/link.tsx'
import { idle } from '#web/action-state.ts'
import { undoIssueChanges } from './actions.ts'
import { BulkBar } from './bulk-bar.tsx'
import type { ChangeVerb } from './bulk-input.ts'
import { ChangeToast } from './change-toast.tsx'
import { useChangeIssues } from './list-actions.tsx'
import { useListCommands } from './use-list-commands.ts'
import { useRowFocus } from './use-row-focus.ts'
import { useFreshCounts, useSelection } from './use-selection.ts'

type Props = {
  organizationSlug: string
  rows: IssueRowData[]
  total: number | null
  now: number
  /** The URL of the first page of this list, which defines "all matching issues". */
  list: string
  range: string
  sort: string
  next: string | null
  first: string | null
  counts: { projectId: number; eventCount: number }[]
  /** The changes that the viewer may make; empty for read access. */
  verbs: ChangeVerb[]
  assignees: { id: string; name: string }[]
  me: string
  /** Shown when there are no rows. */
  children: ReactNode
}

/** The interactive issue list: rows keep their order while counts update, and everything has a keyboard shortcut. */
export function IssueBoard(props: Props) {
  const { organizationSlug, total, now, list, assignees, verbs } = props
  const [state, action, isPending] = useActionState(useChangeIssues(), idle)
  const [undone, undo] = useActionState(undoIssueChanges, idle)
  const { rows, fresh, adopt } = useHeldRows(props.rows, [state, undone])
  const ids = rows.map(row => row.id)
  const selection = useSelection(ids, state)
  const rowFocus = useRowFocus()
  const board = useRef<HTMLFormElement>(null)
  useFreshCounts(organizationSlug, props.first === null ? props.counts : [])
  useListCommands({ ids, rowFocus, selection, hasFresh: fresh > 0, showFresh: adopt })
  useReturn(board)
  const releases = [...new Set(rows.filter(row => selection.has(row.id)).map(row => row.lastRelease))].filter(Boolean)
  return (
    <>
      <div role="status">
        {fresh > 0 ? (
          <div className="newdata">
            <button type="button" className="btn plain s" onClick={adopt}>
              Show {fresh} new {fresh === 1 ? 'issue' : 'issues'} <kbd>R</kbd>
            </button>
          </div>
        ) : null}
      </div>
      <form ref={board} action={action} className="ilist" aria-busy={isPending} noValidate>
        <NoDefaultButton />
        <input type="hidden" name="org" value={organizationSlug} />
        <input type="hidden" name="list" value={list.split('?')[1] ?? ''} />
        {selection.isAll ? <input type="hidden" name="all" value="on" /> : null}
        <BulkBar
          {...{ selection, total, verbs, assignees, me: props.me, range: props.range, sort: props.sort }}
          {...{ form: board, action, rowFocus }}
          release={releases[0] ?? ''}
        />
        {rows.length === 0 ? props.children : null}
        <ul aria-label="Issues">
          {rows.map(row => (
            <IssueRow
              key={row.id}
              issue={row}
              now={now}
              range={props.range}
              link={rowFocus.linkRef(row.id)}
              isSelected={selection.has(row.id)}
              onSelect={isRange => selection.toggle(row.id, isRange)}
            />
          ))}
        </ul>
      </form>
      <ChangeToast state={state} undone={undone} undo={undo} organizationSlug={organizationSlug} />
      <footer className="lfoot">
        <span>
          {total === null || total === rows.length
            ? `${rows.length} ${rows.length === 1 ? 'issue' : 'issues'}`
            : `1–${rows.length} of ${total.toLocaleString('en-US')}`}
        </span>
        <span className="pages">
          {props.first ? <Link href={props.first}>First page</Link> : null}
          {props.next ? (
            <Link className="btn s" href={props.next} rel="next">
              Next page
            </Link>
          ) : null}
        </span>
        <KeyHelp />
      </footer>
    </>
  )
}

type HistoryState = { issueRow?: string } | null

/** Back returns focus to the row that was opened. The row is stored in the history entry. */
function useReturn(board: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const list = board.current
    const opened = (history.state as HistoryState)?.issueRow
    if (opened)
      list?.querySelector<HTMLElement>(`[data-issue="${CSS.escape(opened)}"] a`)?.focus({ preventScroll: true })
    const storeRow = (event: Event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-issue]') : null
      if (row) history.replaceState({ ...(history.state as object | null), issueRow: row.dataset.issue }, '')
    }
    list?.addEventListener('click', storeRow, { capture: true })
    return () => list?.removeEventListener('click', storeRow, { capture: true })
  }, [board])
}

/**
 * Rows keep their order while their counts update. New issues are announced and appear on request, or after a change by the
 * viewer.
 */
function useHeldRows(newest: IssueRowData[], changes: readonly unknown[]) {
  const [held, setHeld] = useState({ rows: newest, changes })
  const hasChanged = changes.some((change, index) => change !== held.changes[index])
  // An empty list has no order to keep.
  if (hasChanged || (held.rows.length === 0 && newest.length > 0)) setHeld({ rows: newest, changes })
  const byId = new Map(newest.map(row => [row.id, row]))
  const known = new Set(held.rows.map(row => row.id))
  return {
    rows: held.rows.map(row => byId.get(row.id) ?? row),
    fresh: newest.filter(row => !known.has(row.id)).length,
    adopt: () => setHeld({ rows: newest, changes }),
  }
}
