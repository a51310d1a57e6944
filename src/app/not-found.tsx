import { NotFoundCard } from './entry-card.tsx'

/** For `notFound()`. Next also renders this file ahead of time for other pages, so it must not set the status. */
export default function NotFound() {
  return (
    <main>
      <NotFoundCard />
    </main>
  )
}
