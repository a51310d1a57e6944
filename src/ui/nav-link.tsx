'use client'
import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { Link } from './link.tsx'

/** What a page passes on to the next one: projects, environment and time range. */
const carried = ['project', 'env', 'range', 'start', 'end']

/** A link that marks itself as current on its page and the pages below, and keeps the chosen scope. */
export function NavLink({ href, children }: { href: string; children: ReactNode }) {
  const path = usePathname()
  const search = useSearchParams()
  const isHere = path === href || path.startsWith(`${href}/`)
  const kept = new URLSearchParams([...search].filter(([name]) => carried.includes(name)))
  return (
    <Link href={kept.size > 0 ? `${href}?${kept}` : href} aria-current={isHere ? 'page' : undefined}>
      {children}
    </Link>
  )
}
