'use client'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { usePathname, useRouter } from 'next/navigation'
import { type ReactNode, useEffect } from 'react'
import { neighbourInList } from '#ui/issue/neighbour-in-list.ts'

type Props = { title: string; href: string; foot?: ReactNode; children: ReactNode }

/** Stands beside the list and leaves focus there. Escape, back and the cross close it; up and down walk the list's rows. */
export function PeekFrame({ title, href, foot, children }: Props) {
  const router = useRouter()
  const isHere = usePathname() === href
  const close = () => router.back()
  const step = (by: 1 | -1) => {
    const next = neighbourInList(href, by)
    if (next) router.replace(next, { scroll: false })
  }
  useEffect(() => {
    if (!isHere) return
    const hear = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.closest('dialog, input, textarea')) return
      event.preventDefault()
      router.back()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [isHere, router])
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
        {/* A whole navigation: to the router this address is the one that is open already. */}
        <a className="btn plain s" href={href}>
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
