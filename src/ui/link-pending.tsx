'use client'
import { useLinkStatus } from 'next/link'

/** A progress bar from the click until the next page is shown. `useLinkStatus` only works inside the link. */
export function LinkPending() {
  const { pending } = useLinkStatus()
  return pending ? <PendingBar /> : null
}

export const PendingBar = () => <span className="link-pending" aria-hidden="true" />
