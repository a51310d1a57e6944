'use client'
import './globals.css'
import PageError from './error.tsx'

/** Shown when the root layout itself fails. */
export default function GlobalError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Something went wrong · Hydrant</title>
        <PageError {...props} />
      </body>
    </html>
  )
}
