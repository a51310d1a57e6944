'use client'

import * as Sentry from '@sentry/nextjs'
import { useEffect } from 'react'

export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  useEffect(() => {
    Sentry.captureException(error)
  }, [error])

  return (
    <html lang="en">
      <body>
        <h1>Something went wrong</h1>
        <p>
          It has been reported. <a href="/">Back to the shop</a>
        </p>
      </body>
    </html>
  )
}
