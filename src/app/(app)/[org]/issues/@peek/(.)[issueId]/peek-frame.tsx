'use client'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { usePathname, useRouter } from 'next/navigation'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { keys } from '#ui/commands/keys.ts'
import { ShortcutKeys } from '#ui/commands/shortcut-keys.tsx'
import { useCommands } from '#ui/commands/use-commands.ts'
import { neighborInList } from '#ui/issue/neighbor-in-list.ts'
import { rememberLookedAt } from '#ui/issue-list/list-memory.ts'
import { commentField } from '../../[issueId]/comment-field.ts'
import { useFollowFocus } from '../../follow-focus.ts'
import { findPeek, registerPeek } from '../../triage.ts'

/** `search` keeps the list's filter when the page is opened. */
type Props = {
  title: string
  href: string
  issueId?: number
  search?: string
  mayComment?: boolean
  foot?: ReactNode
  children: ReactNode
}

/** A side panel that leaves focus in the list. Escape, Back and the close button close it. */
export function PeekFrame({ title, href, issueId, search = '', mayComment = false, foot, children }: Props) {
  const router = useRouter()
  const isHere = usePathname() === href
  // The next issue takes the place of this one: only the first one slides in.
  const [isFirst] = useState(() => findPeek() === null)
  const frame = useRef<HTMLElement>(null)
  /** Focus that is in the preview goes to its row: a browser would move it to the top of the page. */
  const close = () => {
    if (frame.current?.contains(document.activeElement))
      document.querySelector<HTMLElement>(`[data-issue="${issueId}"] a`)?.focus({ preventScroll: true })
    router.back()
  }
  const pageHref = search ? `${href}?${search}` : href
  const step = (by: 1 | -1) => {
    const next = neighborInList(href, by)
    if (next) router.replace(next, { scroll: false })
  }
  useCommands([
    {
      ...keys.clear,
      id: 'peek.close',
      label: 'Close the preview',
      kind: 'move',
      yieldsTo: 'issues.clear',
      isAvailable: () => isHere,
      run: close,
    },
    {
      ...keys.comment,
      id: 'peek.comment',
      label: 'Comment',
      kind: 'change',
      isAvailable: () => isHere && mayComment,
      // The page has this URL already: only the hash is new, so it has to be loaded again.
      run() {
        history.replaceState(history.state, '', `${pageHref}#${commentField}`)
        location.reload()
      },
    },
  ])
  const closeThis = useEffectEvent(close)
  useRoomBesideList(frame, isHere)
  useEffect(() => {
    if (!isHere || issueId === undefined) return
    rememberLookedAt(issueId)
    return registerPeek({ issueId, close: () => closeThis() })
  }, [isHere, issueId])
  useFollowFocus(isHere ? href : null)
  useOpenAtTop(isHere)
  if (!isHere) return null
  return (
    <aside ref={frame} className={isFirst ? 'peek opens' : 'peek'} aria-label={`Issue ${title}`}>
      <header className="peek-top">
        <b>{title}</b>
        <button
          type="button"
          className="icon-btn"
          aria-label="Previous issue"
          aria-keyshortcuts="k"
          title="Previous issue (K)"
          onClick={() => step(-1)}
        >
          <ChevronUp className="i" aria-hidden="true" />
        </button>
        <button
          type="button"
          className="icon-btn"
          aria-label="Next issue"
          aria-keyshortcuts="j"
          title="Next issue (J)"
          onClick={() => step(1)}
        >
          <ChevronDown className="i" aria-hidden="true" />
        </button>
        <span className="sp" />
        {/* A plain link: the router thinks this URL is already open. */}
        <a className="btn plain s" href={pageHref}>
          Open <ShortcutKeys shortcut={keys.open.shortcut} />
        </a>
        <button type="button" className="icon-btn" aria-label="Close" title="Close (Esc)" onClick={close}>
          <X className="i" aria-hidden="true" />
        </button>
      </header>
      <div className="peek-body">{children}</div>
      {foot ? <footer className="peek-foot">{foot}</footer> : null}
    </aside>
  )
}

/** A reload of this entry of the history shows the issue's page, where the list's scroll position would be somewhere in the middle. */
function useOpenAtTop(isHere: boolean): void {
  useEffect(() => {
    if (!isHere) return
    history.scrollRestoration = 'manual'
    return () => {
      history.scrollRestoration = 'auto'
    }
  }, [isHere])
}

let openFrames = 0

/**
 * The list makes room in the frame in which the peek is painted. The class is set here: with `:has()`, every peek would restyle the whole
 * list, and as React state it would come after a first layout without it.
 */
function useRoomBesideList(frame: RefObject<HTMLElement | null>, isHere: boolean): void {
  useLayoutEffect(() => {
    const space = isHere ? frame.current?.closest('.with-peek') : null
    if (!space) return
    openFrames += 1
    space.classList.add('open')
    return () => {
      openFrames -= 1
      // Not if another issue takes its place.
      queueMicrotask(() => openFrames === 0 && space.classList.remove('open'))
    }
  }, [frame, isHere])
}
