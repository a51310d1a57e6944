import { headers } from 'next/headers'
import { setResponseStatus } from '#web/response-status.ts'
import { safePath } from '#web/safe-path.ts'
import { EntryCard } from './entry-card.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** Replaces a page that needs sign-in. The URL stays, and the page opens after signing in. */
export async function SignInCard() {
  const next = safePath((await headers()).get('x-hydrant-path'))
  return (
    <EntryCard
      title="Sign in to Hydrant"
      lede={next === '/' ? 'Error and performance monitoring for your apps.' : 'This page opens after you sign in.'}
    >
      <SignInForm next={next} />
    </EntryCard>
  )
}

/** Renders the sign-in form with status 401, so that it works without JavaScript. */
export function SignInHere() {
  setResponseStatus(401)
  return <SignInCard />
}
