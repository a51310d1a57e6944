import type { Metadata } from 'next'
import { ForbiddenCard } from './forbidden-card.tsx'

export const metadata: Metadata = { title: 'Not allowed' }

/** For `forbidden()`. Actions and pages of ours say more: `ForbiddenHere`, `defineAction`. */
export default function Forbidden() {
  return (
    <main>
      <ForbiddenCard
        title="Your role doesn’t allow this"
        text="Nothing was changed. Ask an owner or admin to do it, or to change your role."
      />
    </main>
  )
}
