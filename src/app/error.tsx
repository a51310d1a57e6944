'use client'
import { FailedPage } from './failed-page.tsx'

/** Shown when a page outside of an organization, or the organization's layout, fails. */
export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main>
      <FailedPage isPage error={error} onRetry={reset} />
    </main>
  )
}
