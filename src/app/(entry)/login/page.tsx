import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { isSetUp } from '#domain/members/find-membership.ts'
import { getRuntime } from '#runtime.ts'
import { safePath } from '#web/safe-path.ts'
import { findSignedIn } from '#web/viewer.ts'
import { EntryCard } from '../../entry-card.tsx'
import { SignInForm } from '../../sign-in-form.tsx'

export const metadata: Metadata = { title: 'Sign in' }

type Props = { searchParams: Promise<{ next?: string | string[] }> }

/** `next` is where an invitation continues after signing in. */
export default async function LoginPage({ searchParams }: Props) {
  const { next } = await searchParams
  const target = safePath(typeof next === 'string' ? next : '/')
  if (!(await isSetUp(getRuntime().control))) redirect('/setup')
  if (await findSignedIn()) redirect(target)
  return (
    <EntryCard title="Sign in to Hydrant" lede="Error and performance monitoring for your apps.">
      <SignInForm next={target} />
    </EntryCard>
  )
}
