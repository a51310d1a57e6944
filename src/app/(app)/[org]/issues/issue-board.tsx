'use client'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { NoDefaultButton } from '#ui/buttons.tsx'
import { keys } from '#ui/commands/keys.ts'
import { ShortcutKeys } from '#ui/commands/shortcut-keys.tsx'
import { type HeldRows, holdAll, holdRows } from '#ui/issue-list/hold-rows.ts'
import { IssueRow, type IssueRowData } from '#ui/issue-list/issue-row.tsx'
import { recallLookedAt, recallTop, rememberRows, rememberTop } from '#ui/issue-list/list-memory.ts'
import { useFirstRows } from '#ui/issue-list/use-first-rows.ts'
import { useNavigate } from '#ui/navigation.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { useNewest } from '#ui/use-newest.ts'
import { idle } from '#web/action-state.ts'
import { undoIssueChanges } from './actions.ts'
import { BulkBar } from './bulk-bar.tsx'
import type { ChangeVerb } from './bulk-input.ts'
import { ChangeToast } from './change-toast.tsx'
import { useWatchFocus } from './follow-focus.ts'
import { useChangeIssues } from './list-actions.tsx'
import { ListFoot, type PageLinks } from './list-foot.tsx'
import { findPeek, useChangedIssues } from './triage.ts'
import { useFreshCounts } from './use-fresh-counts.ts'
import { useListCommands } from './use-list-commands.ts'
import { type RowFocus, useRowFocus } from './use-row-focus.ts'
import { useSelection } from './use-selection.ts'
import { useSubmit } from './use-submit.ts'

type Props = PageLinks & {
  organizationSlug: string
  rows: IssueRowData[]
  now: number
  /** The URL of this list, and of its first page, which defines "all matching issues". */
  here: string
  list: string
  range: string
  sort: string
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
  const { organizationSlug, total, now, here, list, assignees, verbs } = props
  const [state, action, isPending, losses] = useAction(useChangeIssues(), idle)
  const [undone, undo] = useAction(undoIssueChanges, idle)
  const { rows, fresh, adopt } = useHeldRows(here, props.rows, now)
  const ids = rows.map(row => row.id)
  const drawn = useFirstRows(here, rows, () => openedRow() !== undefined)
  const selection = useSelection(here, ids, state, losses)
  const isSelecting = selection.count > 0
  const toggle = useNewest(selection.toggle)
  const rowFocus = useRowFocus(here, ids, () => findPeek()?.close())
  useWatchFocus()
  const board = useRef<HTMLFormElement>(null)
  const { submit, submitForm, isLeaving } = useSubmit({ ids, rowFocus, selection, form: board, state, losses, action })
  useFreshCounts(organizationSlug, props.first === null ? props.counts : [])
  useListCommands({ ids, rowFocus, selection, hasFresh: fresh > 0, showFresh: adopt })
  useReturn(board, here, rowFocus)
  useRememberTop(here)
  useOnePeek(board)
  const shown = ids.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids in one text
  useEffect(() => rememberRows(here, rows), [here, shown])
  const releases = [...new Set(rows.filter(row => selection.has(row.id)).map(row => row.lastRelease))].filter(Boolean)
  const isClosed = (id: number) => rows.some(row => row.id === id && row.status !== 'unresolved')
  return (
    <>
      <div role="status" className={isSelecting ? 'newdata covered' : 'newdata'}>
        {fresh > 0 ? (
          <button type="button" className="btn s" onClick={adopt}>
            Show {fresh} new {fresh === 1 ? 'issue' : 'issues'} <ShortcutKeys shortcut={keys.fresh.shortcut} />
          </button>
        ) : null}
      </div>
      <ActionForm
        ref={board}
        action={action}
        onSubmit={submitForm}
        className={`ilist${isSelecting ? ' selecting' : ''}${rows.length === 0 ? ' empty' : ''}`}
        aria-busy={isPending}
        noValidate
      >
        <NoDefaultButton />
        <input type="hidden" name="org" value={organizationSlug} />
        <input type="hidden" name="list" value={list.split('?')[1] ?? ''} />
        {selection.isAll ? <input type="hidden" name="all" value="on" /> : null}
        <BulkBar
          {...{ selection, total, verbs, assignees, me: props.me, range: props.range, sort: props.sort }}
          {...{ submit, isClosed, rowFocus }}
          release={releases[0] ?? ''}
        />
        {rows.length === 0 ? (
          <section ref={rowFocus.empty} tabIndex={-1} aria-label="No issues">
            {props.children}
          </section>
        ) : null}
        <ul aria-label="Issues">
          {drawn.map(row => (
            <IssueRow
              key={row.id}
              issue={row}
              now={now}
              range={props.range}
              link={rowFocus.linkRef(row.id)}
              isSelected={selection.has(row.id)}
              isLeaving={isLeaving(row.id)}
              onSelect={toggle}
            />
          ))}
        </ul>
      </ActionForm>
      <ChangeToast {...{ state, undone, undo, organizationSlug, isPending }} />
      <ListFoot {...props} shown={rows.length} />
    </>
  )
}

/** The row that was opened from this entry of the history. */
const openedRow = (): string | undefined => (history.state as { issueRow?: string } | null)?.issueRow

/** Back returns focus to the issue that was looked at last, which the peek and the keys of the issue page may have changed. */
function useReturn(board: RefObject<HTMLElement | null>, here: string, { focus }: RowFocus): void {
  const focusRow = useRef(focus)
  useEffect(() => {
    const list = board.current
    const opened = openedRow()
    const linkOf = (id: string) => list?.querySelector<HTMLElement>(`[data-issue="${CSS.escape(id)}"] a`)
    const lookedAt = opened ? String(recallLookedAt(here) ?? opened) : null
    // The browser would restore what fits into the page that it leaves, which is often shorter than the list.
    const top = opened ? recallTop(here) : null
    if (top !== null) window.scrollTo({ top, behavior: 'instant' })
    if (opened && lookedAt && lookedAt !== opened && linkOf(lookedAt)) focusRow.current(Number(lookedAt))
    else if (opened) linkOf(opened)?.focus({ preventScroll: true })
    const storeRow = (event: Event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-issue]') : null
      if (row) history.replaceState({ ...(history.state as object | null), issueRow: row.dataset.issue }, '')
    }
    list?.addEventListener('click', storeRow, { capture: true })
    return () => list?.removeEventListener('click', storeRow, { capture: true })
  }, [board, here])
}

/** Followed while the list is there: when it goes, the next page may already have changed the position. */
function useRememberTop(here: string): void {
  useEffect(() => {
    let top = window.scrollY
    const follow = () => {
      top = window.scrollY
    }
    const remember = () => rememberTop(here, top)
    window.addEventListener('scroll', follow, { passive: true })
    window.addEventListener('pagehide', remember)
    return () => {
      window.removeEventListener('scroll', follow)
      window.removeEventListener('pagehide', remember)
      remember()
    }
  }, [here])
}

/** A row that is pressed beside an open peek takes its place, as with J and K: one Escape, Back or Close leads to the list. */
function useOnePeek(board: RefObject<HTMLElement | null>): void {
  const navigate = useNavigate()
  useEffect(() => {
    const list = board.current
    const replacePeek = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('.irow a') : null
      const peek = findPeek()
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
      if (!link || !peek || !isPlain) return
      event.preventDefault()
      const isShown = link.closest<HTMLElement>('[data-issue]')?.dataset.issue === String(peek.issueId)
      if (!isShown) navigate(link.getAttribute('href') ?? '', { isReplacing: true })
    }
    list?.addEventListener('click', replacePeek)
    return () => list?.removeEventListener('click', replacePeek)
  }, [board, navigate])
}

/** The rows on the screen: see `holdRows`. Another list begins anew. */
function useHeldRows(here: string, newest: IssueRowData[], now: number) {
  const [kept, setKept] = useState<HeldRows<IssueRowData> & { here: string }>(() => ({ ...holdAll(newest, now), here }))
  const held = kept.here === here ? kept : holdAll(newest, now)
  const { rows, fresh, followers } = holdRows(held, newest, useChangedIssues())
  const isSame = rows.length === held.rows.length && rows.every(({ id }, index) => id === held.rows[index]?.id)
  if (!isSame || kept.here !== here) setKept({ rows, followers, at: held.rows.length === 0 ? now : held.at, here })
  return { rows, fresh, adopt: () => setKept({ ...holdAll(newest, now), here }) }
}
