import { NotFoundCard } from './entry-card.tsx'

/** For what is thrown and not drawn. Next renders this file with every page in store, so it must not touch the status. */
export default function NotFound() {
  return (
    <main>
      <NotFoundCard />
    </main>
  )
}
