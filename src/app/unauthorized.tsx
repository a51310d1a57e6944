import type { Metadata } from 'next'
import { SignInCard } from './sign-in-card.tsx'

export const metadata: Metadata = { title: 'Sign in' }

/** For `unauthorized()`. Next also renders this file ahead of time for other pages, so it must not set the status. */
export default function Unauthorized() {
  return <SignInCard />
}
