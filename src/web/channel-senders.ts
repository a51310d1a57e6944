import type { Senders } from '#domain/channels/delivery/send-message.ts'
import { getRuntime } from '#runtime.ts'
import { loadSecret } from '#store/control/secret.ts'

/** What sends the test of a channel from a page. */
export function channelSenders(): Senders {
  const runtime = getRuntime()
  return {
    outbound: runtime.outbound,
    mailer: runtime.mailer,
    installationSecret: loadSecret(runtime.config),
    publicUrl: runtime.config.publicUrl,
  }
}
