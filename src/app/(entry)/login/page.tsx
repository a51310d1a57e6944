import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { isSetUp } from '#domain/members/find-membership.ts'
import { getRuntime } from '#runtime.ts'
import { readProxyEmail } from '#web/proxy-auth.ts'
import { safePath } from '#web/safe-path.ts'
import { findSignedIn } from '#web/viewer.ts'
import { EntryCard } from '../../entry-card.tsx'
import { SignInMethods } from '../../sign-in-methods.tsx'

export const metadata: Metadata = { title: 'Sign in' }

type Props = { searchParams: Promise<{ next?: string | string[]; error?: string | string[] }> }

/** `next` is where an invitation continues after signing in. */
export default async function LoginPage({ searchParams }: Props) {
  const { next, error } = await searchParams
  const target = safePath(typeof next === 'string' ? next : '/')
  if (!(await isSetUp(getRuntime().control))) redirect('/setup')
  if (await findSignedIn()) redirect(target)
  if (error === undefined && readProxyEmail(await headers(), getRuntime().config) !== null) redirect('/login/proxy')
  return (
    <EntryCard title="Sign in to Hydrant" lede="Error and performance monitoring for your apps.">
      <SignInMethods next={target} fault={typeof error === 'string' ? error : null} />
    </EntryCard>
  )
}
