import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { getRuntime } from '#runtime.ts'
import { readProxyEmail } from '#web/proxy-auth.ts'
import { setResponseStatus } from '#web/response-status.ts'
import { safePath } from '#web/safe-path.ts'
import { EntryCard } from './entry-card.tsx'
import { SignInMethods } from './sign-in-methods.tsx'

/** Replaces a page that needs sign-in. The URL stays, and the page opens after signing in. */
export async function SignInCard() {
  const next = safePath((await headers()).get('x-hydrant-path'))
  return (
    <EntryCard
      title="Sign in to Hydrant"
      lede={next === '/' ? 'Error and performance monitoring for your apps.' : 'This page opens after you sign in.'}
    >
      <SignInMethods next={next} />
    </EntryCard>
  )
}

/** Renders the sign-in form with status 401, so that it works without JavaScript. */
export async function SignInHere() {
  const given = await headers()
  if (readProxyEmail(given, getRuntime().config) !== null)
    redirect(`/login/proxy?next=${encodeURIComponent(safePath(given.get('x-hydrant-path')))}`)
  setResponseStatus(401)
  return <SignInCard />
}
