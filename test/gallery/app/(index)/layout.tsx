import '../../../../src/app/globals.css'
import type { ReactNode } from 'react'

export const metadata = { title: 'Gallery' }

export default function IndexLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
