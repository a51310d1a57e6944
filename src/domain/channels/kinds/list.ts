import { discord } from './discord.ts'
import { email } from './email.ts'
import { googleChat } from './google-chat.ts'
import { httpTemplate } from './http-template.ts'
import type { ChannelKind } from './kind.ts'
import { ntfy } from './ntfy.ts'
import { pagerduty } from './pagerduty.ts'
import { sentryWebhook } from './sentry-webhook.ts'
import { slack } from './slack.ts'
import { teams } from './teams.ts'
import { telegram } from './telegram.ts'
import { webhook } from './webhook.ts'

/** In the order in which the form offers them. */
export const channelKinds: readonly ChannelKind[] = [
  email,
  slack,
  discord,
  teams,
  telegram,
  googleChat,
  ntfy,
  pagerduty,
  webhook,
  sentryWebhook,
  httpTemplate,
]

export const findKind = (id: string): ChannelKind | null => channelKinds.find(kind => kind.id === id) ?? null
