import type { Metadata } from 'next'
import { isSetUp } from '#domain/members/find-membership.ts'
import { getRuntime } from '#runtime.ts'
import { EntryCard, NotFoundHere } from '../../entry-card.tsx'
import { SetupForm } from './setup-form.tsx'

export const metadata: Metadata = { title: 'Set up' }

type Props = { searchParams: Promise<{ code?: string | string[] }> }

/** Exists on the first run only. The code is checked when the form is submitted, not here, so that every guess counts. */
export default async function SetupPage({ searchParams }: Props) {
  if (await isSetUp(getRuntime().control))
    return (
      <main>
        <NotFoundHere />
      </main>
    )
  const { code } = await searchParams
  return (
    <EntryCard isWide title="Set up Hydrant" lede="Takes a minute. Next, you get a DSN and send your first event.">
      <SetupForm code={typeof code === 'string' ? code.slice(0, 100) : ''} />
    </EntryCard>
  )
}
