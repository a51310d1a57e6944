import type { Metadata } from 'next'
import Link from 'next/link'
import type { ReactNode } from 'react'
import './globals.css'

export const metadata: Metadata = { title: 'The Garden Shop', description: 'An example shop that reports to Hydrant' }

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        {/* Before React's own scripts: it keeps the server's HTML until they take the page over. */}
        <script src="/hydrant-hydration.js" />
      </head>
      <body>
        <header>
          <Link href="/" className="brand">
            The Garden Shop
          </Link>
          <nav aria-label="Main">
            <Link href="/order">Order</Link>
            <Link href="/docs/care/watering">Care guide</Link>
            <Link href="/client-error">Errors</Link>
            <Link href="/failures" prefetch={false}>
              Failures
            </Link>
            <Link href="/signals">Signals</Link>
          </nav>
        </header>
        <main>{children}</main>
      </body>
    </html>
  )
}
