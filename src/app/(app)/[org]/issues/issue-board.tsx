'use client'
import { type ReactNode, type RefObject, useActionState, useEffect, useRef, useState } from 'react'
import { NoDefaultButton } from '#ui/buttons.tsx'
import { IssueRow, type IssueRowData } from '#ui/issue-list/issue-row.tsx'
import { KeyHelp, type KeyRow } from '#ui/keys/key-help.tsx'
import { Link } from '#ui/link.tsx'
import { idle } from '#web/action-state.ts'
import { undoIssueChanges } from './actions.ts'
import { BulkBar } from './bulk-bar.tsx'
import type { ChangeVerb } from './bulk-input.ts'
import { ChangeToast } from './change-toast.tsx'
import { useChangeIssues } from './list-actions.tsx'
import { useListKeys } from './use-list-keys.ts'
import { useFreshCounts, useSelection } from './use-selection.ts'

type Props = {
  organizationSlug: string
  rows: IssueRowData[]
  total: number | null
  now: number
  /** The address of this list's first page: what "all that match" means, and where it is asked again. */
  list: string
  range: string
  sort: string
  next: string | null
  first: string | null
  counts: { projectId: number; eventCount: number }[]
  /** What the viewer may do with issues; empty where they may only look. */
  verbs: ChangeVerb[]
  assignees: { id: string; name: string }[]
  me: string
  /** What stands in the place of no rows. */
  children: ReactNode
}

/** The list as it is worked with: rows stay where they are while their numbers change, and the keyboard reaches everything. */
export function IssueBoard(props: Props) {
  const { organizationSlug, total, now, list, assignees, verbs } = props
  const [state, action, isPending] = useActionState(useChangeIssues(), idle)
  const [undone, undo] = useActionState(undoIssueChanges, idle)
  const { rows, fresh, adopt } = useHeldRows(props.rows, [state, undone])
  const selection = useSelection(
    rows.map(row => row.id),
    state,
  )
  const board = useRef<HTMLFormElement>(null)
  useFreshCounts(organizationSlug, props.first === null ? props.counts : [])
  useListKeys(board, { selection, mayChange: verbs.length > 0, showFresh: adopt })
  useReturn(board)
  const releases = [...new Set(rows.filter(row => selection.has(row.id)).map(row => row.lastRelease))].filter(Boolean)
  return (
    <>
      <div role="status">
        {fresh > 0 ? (
          <div className="newdata">
            <button type="button" className="btn plain s" onClick={adopt}>
              {fresh} new {fresh === 1 ? 'issue' : 'issues'}, show <kbd>R</kbd>
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
        <KeyHelp rows={listKeys} />
      </footer>
    </>
  )
}

const listKeys: KeyRow[] = [
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

type Kept = { issueRow?: string } | null

/** Back brings the focus to the row one came from. It is kept with the entry of the history that it belongs to. */
function useReturn(board: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const list = board.current
    const kept = (history.state as Kept)?.issueRow
    if (kept) list?.querySelector<HTMLElement>(`[data-issue="${CSS.escape(kept)}"] a`)?.focus({ preventScroll: true })
    const cacheQuery = (event: Event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-issue]') : null
      if (row) history.replaceState({ ...(history.state as object | null), issueRow: row.dataset.issue }, '')
    }
    list?.addEventListener('click', cacheQuery, { capture: true })
    return () => list?.removeEventListener('click', cacheQuery, { capture: true })
  }, [board])
}

/**
 * Nothing moves unless asked: the order is held, the numbers in it are the newest. Issues that were not there wait until
 * they are shown. One's own change is asking: then the list is drawn as it now is.
 */
function useHeldRows(newest: IssueRowData[], changes: readonly unknown[]) {
  const [held, setHeld] = useState({ rows: newest, changes })
  const isAsked = changes.some((change, index) => change !== held.changes[index])
  // Where nothing is, nothing can be moved.
  if (isAsked || (held.rows.length === 0 && newest.length > 0)) setHeld({ rows: newest, changes })
  const byId = new Map(newest.map(row => [row.id, row]))
  const known = new Set(held.rows.map(row => row.id))
  return {
    rows: held.rows.map(row => byId.get(row.id) ?? row),
    fresh: newest.filter(row => !known.has(row.id)).length,
    adopt: () => setHeld({ rows: newest, changes }),
  }
}
