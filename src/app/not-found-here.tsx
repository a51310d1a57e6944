import { answerStatus } from '#web/answer-status.ts'
import { NotFoundCard } from './not-found-card.tsx'

/** 404, drawn: readable without script. */
export function NotFoundHere() {
  answerStatus(404)
  return <NotFoundCard />
}
