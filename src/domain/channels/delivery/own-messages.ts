/** Messages of the delivery itself: the test of a channel, a summary, and that a channel was switched off. */

import type { Kysely } from 'kysely'
import { findKind } from '#domain/channels/kinds/list.ts'
import type { AlertMessage } from '#domain/channels/message.ts'
import { type Counts, countOf, describeCounts, titleSummary } from '#domain/channels/worst-first.ts'
import { isObject, numberOf, textOf } from '#lib/json-value.ts'
import type { ControlSchema } from '#store/control/schema.ts'

type Organization = { slug: string; name: string }
type Base = Pick<AlertMessage, 'id' | 'at' | 'organization'>

const empty = {
  action: 'none',
  project: null,
  body: '',
  culprit: '',
  facts: [],
  rule: null,
  issue: null,
  items: [],
  more: 0,
} as const satisfies Partial<AlertMessage>

type TestOf = { channel: { id: number; name: string; kind: string }; by: string; publicUrl: string }

export const testMessage = (base: Base, { channel, by, publicUrl }: TestOf): AlertMessage => ({
  ...empty,
  ...base,
  kind: 'test',
  type: 'test',
  subjectKey: `test/${channel.id}`,
  severity: 'info',
  title: `Test of ${channel.name}`,
  reason: `sent by ${by}`,
  body: 'If you can read this, alerts arrive here.',
  facts: [
    { label: 'Channel', value: channel.name },
    { label: 'Kind', value: findKind(channel.kind)?.label ?? channel.kind },
  ],
  links: [{ label: 'Open channel', url: channelUrl(publicUrl, base.organization, channel.id) }],
})

const channelUrl = (publicUrl: string, { slug }: Organization, channelId: number): string =>
  `${publicUrl}/${slug}/settings/channels/${channelId}`

export const summaryMessage = (
  base: Base,
  { messages, rest, publicUrl }: { messages: readonly AlertMessage[]; rest: Counts; publicUrl: string },
): AlertMessage => ({
  ...empty,
  ...base,
  kind: 'summary',
  type: 'summary',
  subjectKey: `summary/${base.id}`,
  severity: messages.some(({ severity }) => severity === 'critical') ? 'critical' : 'warning',
  title: titleSummary(messages, rest),
  reason: 'this channel got 30 messages within 5 minutes, so the rest is collected here',
  items: messages.map(({ title, links, project }) => ({
    title,
    url: links[0]?.url ?? publicUrl,
    projectId: project?.id ?? null,
  })),
  more: countOf(rest),
  rest: describeCounts(rest, messages),
  links: [{ label: 'Open issues', url: `${publicUrl}/${base.organization.slug}/issues` }],
})

/** The outbox JSON of a notice that a channel was switched off. */
export const disabledNotice = (given: { channelId: number; name: string; kind: string; reason: string }) => ({
  own: 'channel-disabled',
  ...given,
})

export function buildDisabledNotice(base: Base, message: unknown, publicUrl: string): AlertMessage | null {
  if (!isObject(message) || message.own !== 'channel-disabled') return null
  const channelId = numberOf(message.channelId) ?? 0
  const name = textOf(message.name)
  return {
    ...empty,
    ...base,
    kind: 'operator',
    type: 'operator.channel_disabled',
    subjectKey: `channel/${channelId}`,
    severity: 'warning',
    title: `Channel ${name} was switched off`,
    reason: 'its server has answered for an hour that it is gone; messages wait, and one is tried once a day',
    body: textOf(message.reason),
    facts: [{ label: 'Kind', value: findKind(textOf(message.kind))?.label ?? '' }],
    links: [{ label: 'Repair channel', url: channelUrl(publicUrl, base.organization, channelId) }],
  }
}

export async function findOrganization(db: Kysely<ControlSchema>, organizationId: number): Promise<Organization> {
  return db
    .selectFrom('organization')
    .select(['slug', 'name'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
}
