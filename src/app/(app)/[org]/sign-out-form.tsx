'use client'
import type { ReactNode } from 'react'
import { forgetRecent } from '#ui/palette/recent-items.ts'
import { SendForm } from '#ui/send/action-form.tsx'

/** Signs out, and forgets what this browser remembers of the account. */
export function SignOutForm({ action, children }: { action: () => Promise<void>; children: ReactNode }) {
  return (
    <SendForm action={action} onSubmit={forgetRecent}>
      {children}
    </SendForm>
  )
}
