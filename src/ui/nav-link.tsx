'use client'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { Link } from './link.tsx'

/** A link that marks itself as current on its page and the pages below. */
export function NavLink({ href, children }: { href: string; children: ReactNode }) {
  const path = usePathname()
  const isHere = path === href || path.startsWith(`${href}/`)
  return (
    <Link href={href} aria-current={isHere ? 'page' : undefined}>
      {children}
    </Link>
  )
}
