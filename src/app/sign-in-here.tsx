import { answerStatus } from '#web/answer-status.ts'
import { SignInCard } from './sign-in-card.tsx'

/** 401, drawn: readable and usable without script. */
export function SignInHere() {
  answerStatus(401)
  return <SignInCard />
}
