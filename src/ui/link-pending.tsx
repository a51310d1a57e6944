'use client'
import { useLinkStatus } from 'next/link'

/** A bar over the page from the click until the next page is there. It stands inside its link, which alone knows. */
export function LinkPending() {
  const { pending } = useLinkStatus()
  return pending ? <span className="link-pending" aria-hidden="true" /> : null
}
