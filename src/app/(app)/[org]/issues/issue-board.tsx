'use client'
import { type ReactNode, useActionState, useRef } from 'react'
import { IssueRow, type IssueRowData } from '#ui/issue-list/issue-row.tsx'
import { KeyHelp } from '#ui/keys/key-help.tsx'
import { Link } from '#ui/link.tsx'
import { NoDefaultButton } from '#ui/no-default-button.tsx'
import { idle } from '#web/action-state.ts'
import { undoIssueChanges } from './actions.ts'
import { BulkBar } from './bulk-bar.tsx'
import type { ChangeVerb } from './change-fields.ts'
import { ChangeToast } from './change-toast.tsx'
import { useChangeIssues } from './list-actions.tsx'
import { listKeys } from './list-keys.ts'
import { useFreshCounts } from './use-fresh-counts.ts'
import { useHeldRows } from './use-held-rows.ts'
import { useListKeys } from './use-list-keys.ts'
import { useReturn } from './use-return.ts'
import { useSelection } from './use-selection.ts'

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
