'use client'
import './globals.css'
import PageError from './error.tsx'

/** The last resort, when the frame of all pages itself failed. */
export default function GlobalError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Hydrant stopped working</title>
        <PageError {...props} />
      </body>
    </html>
  )
}
