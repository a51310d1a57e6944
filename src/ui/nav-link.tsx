'use client'
import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { Link } from './link.tsx'

/** What a page passes on to the next one: projects, environment and time range. */
const carried = ['project', 'env', 'range', 'start', 'end']

/** A link that marks itself as current on its page and the pages below, and keeps the chosen scope. `to` is a view of the page with a scope of its own. */
export function NavLink({ href, to = href, children }: { href: string; to?: string; children: ReactNode }) {
  const path = usePathname()
  const search = useSearchParams()
  const isHere = path === href || path.startsWith(`${href}/`)
  const kept = new URLSearchParams([...search].filter(([name]) => carried.includes(name)))
  return (
    <Link href={to === href && kept.size > 0 ? `${href}?${kept}` : to} aria-current={isHere ? 'page' : undefined}>
      {children}
    </Link>
  )
}
