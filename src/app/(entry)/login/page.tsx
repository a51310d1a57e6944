import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { isSetUp } from '#domain/members/find-membership.ts'
import { getRuntime } from '#runtime.ts'
import { readProxyEmail } from '#web/proxy-auth.ts'
import { findSignedIn } from '#web/viewer.ts'
import { EntryCard } from '../../entry-card.tsx'
import { SignInMethods } from '../../sign-in-methods.tsx'

export const metadata: Metadata = { title: 'Sign in' }

type Props = { searchParams: Promise<{ error?: string | string[] }> }

export default async function LoginPage({ searchParams }: Props) {
  if (!(await isSetUp(getRuntime().control))) redirect('/setup')
  if (await findSignedIn()) redirect('/')
  const { error } = await searchParams
  if (error === undefined && readProxyEmail(await headers(), getRuntime().config) !== null) redirect('/login/proxy')
  return (
    <EntryCard title="Sign in to Hydrant" lede="Error and performance monitoring for your apps.">
      <SignInMethods next="/" fault={typeof error === 'string' ? error : null} />
    </EntryCard>
  )
}
