'use client'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { usePathname, useRouter } from 'next/navigation'
import { type ReactNode, useEffect } from 'react'
import { useCommands } from '#ui/commands/use-commands.ts'
import { neighborInList } from '#ui/issue/neighbor-in-list.ts'

const settleMs = 150 // so that a held key doesn't load every row it passes

/** `search` keeps the list's filter when the page is opened. */
type Props = { title: string; href: string; search?: string; foot?: ReactNode; children: ReactNode }

/** A side panel that leaves focus in the list. Escape, Back and the close button close it. */
export function PeekFrame({ title, href, search = '', foot, children }: Props) {
  const router = useRouter()
  const isHere = usePathname() === href
  const close = () => router.back()
  const step = (by: 1 | -1) => {
    const next = neighborInList(href, by)
    if (next) router.replace(next, { scroll: false })
  }
  useCommands([
    {
      id: 'peek.close',
      label: 'Close the preview',
      kind: 'move',
      aliases: ['Escape'],
      yieldsTo: 'issues.clear',
      isAvailable: () => isHere,
      run: close,
    },
  ])
  useFollowFocus(isHere ? href : null)
  if (!isHere) return null
  return (
    <aside className="peek" aria-label={`Issue ${title}`}>
      <header className="peek-top">
        <b>{title}</b>
        <button type="button" className="icon-btn" aria-label="Previous issue" onClick={() => step(-1)}>
          <ChevronUp className="i" aria-hidden="true" />
        </button>
        <button type="button" className="icon-btn" aria-label="Next issue" onClick={() => step(1)}>
          <ChevronDown className="i" aria-hidden="true" />
        </button>
        <span className="sp" />
        {/* A plain link: the router thinks this URL is already open. */}
        <a className="btn plain s" href={search ? `${href}?${search}` : href}>
          Open <kbd>↵</kbd>
        </a>
        <button type="button" className="icon-btn" aria-label="Close" onClick={close}>
          <X className="i" aria-hidden="true" />
        </button>
      </header>
      <div className="peek-body">{children}</div>
      {foot ? <footer className="peek-foot">{foot}</footer> : null}
    </aside>
  )
}

/** Shows the issue whose row has focus, so that the arrow keys and J/K browse issues. Focus stays in the list. */
function useFollowFocus(href: string | null) {
  const router = useRouter()
  useEffect(() => {
    if (!href) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const onFocusIn = ({ target }: FocusEvent) => {
      clearTimeout(timer)
      const to =
        target instanceof Element && target.matches('.irow a:focus-visible') ? target.getAttribute('href') : null
      if (to && to.split('?')[0] !== href) timer = setTimeout(() => router.replace(to, { scroll: false }), settleMs)
    }
    document.addEventListener('focusin', onFocusIn)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('focusin', onFocusIn)
    }
  }, [href, router])
}
