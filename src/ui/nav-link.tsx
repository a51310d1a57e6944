'use client'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'

/** A link that knows whether one is there. */
export function NavLink({ href, children }: { href: string; children: ReactNode }) {
  const path = usePathname()
  const isHere = path === href || path.startsWith(`${href}/`)
  return (
    <Link href={href} aria-current={isHere ? 'page' : undefined}>
      {children}
    </Link>
  )
}
