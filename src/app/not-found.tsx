import type { Metadata } from 'next'
import { NotFoundCard } from './entry-card.tsx'

export const metadata: Metadata = { title: 'Not found' }

/** For `notFound()`. Next also renders this file ahead of time for other pages, so it must not set the status. */
export default function NotFound() {
  return (
    <main>
      <NotFoundCard />
    </main>
  )
}
