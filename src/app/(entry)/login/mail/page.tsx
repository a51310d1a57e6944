import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getRuntime } from '#runtime.ts'
import { Link } from '#ui/link.tsx'
import { EntryCard } from '../../../entry-card.tsx'
import { MailForm } from './mail-form.tsx'

export const metadata: Metadata = { title: 'Sign in by email' }

/** Where mail is configured: a link signs in, and lets choose a new password. */
export default function MailPage() {
  if (getRuntime().mailer === null) notFound()
  return (
    <EntryCard
      title="Sign in by email"
      lede="We send you a link. With it you can also choose a new password."
      note={<Link href="/login">Back to sign-in</Link>}
    >
      <MailForm />
    </EntryCard>
  )
}
