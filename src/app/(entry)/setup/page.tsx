import type { Metadata } from 'next'
import { isSetUp } from '#queries/is-set-up.ts'
import { getRuntime } from '#runtime.ts'
import { EntryCard } from '../../entry-card.tsx'
import { NotFoundHere } from '../../not-found-here.tsx'
import { SetupForm } from './setup-form.tsx'

export const metadata: Metadata = { title: 'Set up' }

/** Exists on the first run only; afterwards there is nothing at this address. */
export default async function SetupPage() {
  if (await isSetUp(getRuntime().control))
    return (
      <main>
        <NotFoundHere />
      </main>
    )
  return (
    <EntryCard isWide title="Set up Hydrant" lede="One minute. Next you get a DSN and send the first event.">
      <SetupForm />
    </EntryCard>
  )
}
