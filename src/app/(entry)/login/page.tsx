import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { isSetUp } from '#domain/members/find-membership.ts'
import { getRuntime } from '#runtime.ts'
import { findSignedIn } from '#web/viewer.ts'
import { EntryCard } from '../../entry-card.tsx'
import { SignInForm } from '../../sign-in-form.tsx'

export const metadata: Metadata = { title: 'Sign in' }

export default async function LoginPage() {
  if (!(await isSetUp(getRuntime().control))) redirect('/setup')
  if (await findSignedIn()) redirect('/')
  return (
    <EntryCard title="Sign in to Hydrant" lede="Error and performance monitoring for your apps.">
      <SignInForm next="/" />
    </EntryCard>
  )
}
