/** What the signed links of mails allow without a session. */
import { findSubscription, readUnsubscribe, setSubscribed } from '#domain/channels/mail/unsubscribe.ts'
import { getRuntime } from '#runtime.ts'
import { loadSecret } from '#store/control/secret.ts'

/** Null for a link that we did not sign, and once its channel is deleted. */
export async function readSubscription(token: string) {
  const { config, control } = getRuntime()
  const subscription = readUnsubscribe(loadSecret(config), token)
  const found = subscription && (await findSubscription(control.db, subscription))
  return found && { ...found, email: subscription.email }
}

/** False for a link that we did not sign. */
export async function changeSubscription(token: string, isSubscribed: boolean): Promise<boolean> {
  const { config, control, clock } = getRuntime()
  const subscription = readUnsubscribe(loadSecret(config), token)
  if (subscription === null) return false
  await setSubscribed(control.db, subscription, isSubscribed, clock.now())
  return true
}
