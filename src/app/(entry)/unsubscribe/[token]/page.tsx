import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { SubmitButton } from '#ui/buttons.tsx'
import { SendForm } from '#ui/send/action-form.tsx'
import { readSubscription } from '#web/subscription.ts'
import { EntryCard } from '../../../entry-card.tsx'
import { submitSubscription } from './actions.ts'

export const metadata: Metadata = { title: 'Unsubscribe' }

/** Opened from a mail. Nothing changes until the button is pressed. */
export default async function UnsubscribePage({ params }: { params: Promise<{ token: string }> }) {
  const token = decodeURIComponent((await params).token)
  const found = await readSubscription(token)
  if (found === null) notFound()
  const { email, channel, organization, isSubscribed } = found
  return (
    <EntryCard
      title={isSubscribed ? 'Unsubscribe from alerts?' : 'You are unsubscribed'}
      lede={
        isSubscribed
          ? `${email} gets the mail of channel ${channel} of ${organization}.`
          : `${email} no longer gets the mail of channel ${channel} of ${organization}.`
      }
    >
      <SendForm action={submitSubscription} className="form">
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="to" value={isSubscribed ? 'off' : 'on'} />
        <SubmitButton look={isSubscribed ? 'primary' : ''}>
          {isSubscribed ? 'Unsubscribe' : 'Subscribe again'}
        </SubmitButton>
      </SendForm>
    </EntryCard>
  )
}
