import { keptRefusal } from '#web/response-status.ts'
import { ForbiddenCard } from './forbidden-card.tsx'

/** For `forbidden()`. Next also renders this file ahead of time for other pages, where nothing was refused. */
export default function Forbidden() {
  const refusal = keptRefusal() ?? {
    title: 'Your role doesn’t allow this',
    text: 'Nothing was changed. Ask an owner or admin to do it, or to change your role.',
  }
  return (
    <main>
      <ForbiddenCard {...refusal} />
    </main>
  )
}
