'use client'
import { useRouter } from 'next/navigation'
import { startTransition } from 'react'
import { TopBar } from '#ui/page-parts.tsx'
import { FailedPage } from '../../failed-page.tsx'

type Props = { error: Error & { digest?: string }; reset: () => void }

/** Replaces a failed page of the organization. The layout with the navigation stays. */
export default function OrganizationPageError({ error, reset }: Props) {
  const router = useRouter()
  // `reset` alone would render the failed response of the server again.
  const retry = () =>
    startTransition(() => {
      router.refresh()
      reset()
    })
  return (
    <>
      <TopBar>
        <h1>Error</h1>
      </TopBar>
      <div className="page-body" role="alert">
        <FailedPage error={error} onRetry={retry} />
      </div>
    </>
  )
}
