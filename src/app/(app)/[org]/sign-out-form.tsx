'use client'
import type { ReactNode } from 'react'
import { forgetRecent } from '#ui/palette/recent-items.ts'

/** Signs out, and forgets what this browser remembers of the account. */
export function SignOutForm({ action, children }: { action: () => Promise<void>; children: ReactNode }) {
  return (
    <form action={action} onSubmit={forgetRecent}>
      {children}
    </form>
  )
}
