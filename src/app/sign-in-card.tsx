import { headers } from 'next/headers'
import { answerStatus } from '#web/answer-status.ts'
import { safePath } from '#web/safe-path.ts'
import { EntryCard } from './entry-card.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** Sign-in in place of a page: the address stays, and after it one is where one wanted to be. */
export async function SignInCard() {
  const next = safePath((await headers()).get('x-hydrant-path'))
  return (
    <EntryCard
      title="Sign in to Hydrant"
      lede={next === '/' ? 'Errors and performance of your apps.' : 'Then this page opens.'}
    >
      <title>Sign in · Hydrant</title>
      <SignInForm next={next} />
    </EntryCard>
  )
}

/** 401, drawn: readable and usable without script. */
export function SignInHere() {
  answerStatus(401)
  return <SignInCard />
}
