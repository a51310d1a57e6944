'use server'
import { z } from 'zod'
import {
  changeChannel,
  createChannel,
  deleteChannel,
  resendMessages,
  rotateChannelSecret,
  switchChannel,
} from '#domain/channels/change-channel.ts'
import { testChannel } from '#domain/channels/test-channel.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { channelSenders } from '#web/channel-senders.ts'
import { defineAction } from '#web/define-action.ts'
import { formId } from '#web/form-number.ts'
import { readSettingFields, withFieldNames } from './setting-fields.ts'

const id = formId
const name = z.string().trim().min(1, 'Enter a name.').max(80, 'Use at most 80 characters.')
/** Empty: all projects. */
const project = z.union([z.literal('').transform(() => null), id])

const keeper = () => {
  const { installationSecret, outbound } = channelSenders()
  return { installationSecret, checkUrl: outbound.check }
}

const shownOnce = 'Channel saved. Copy the signing secret now. It can’t be shown again.'

export const submitChannel = defineAction(
  { input: z.looseObject({ kind: z.string().max(40), name, project }), verb: 'channel.create', faultField: 'name' },
  async (context, input, viewer) => {
    const created = await createChannel(context, {
      ...keeper(),
      organizationId: viewer.organization.id,
      projectId: input.project,
      name: input.name,
      kind: input.kind,
      settings: readSettingFields(input),
      ownerUserId: viewer.user.id,
    })
    return withFieldNames(created, input.kind)
  },
  ({ id: channelId, generated }, viewer) =>
    generated === null
      ? { go: `/${viewer.organization.slug}/settings/channels/${channelId}` }
      : { say: shownOnce, secret: generated },
)

export const saveChannel = defineAction(
  {
    input: z.looseObject({ channel: id, kind: z.string().max(40), name, project }),
    verb: 'channel.change',
    faultField: 'name',
  },
  async (context, input, viewer) => {
    const changed = await changeChannel(context, {
      ...keeper(),
      organizationId: viewer.organization.id,
      channelId: input.channel,
      projectId: input.project,
      name: input.name,
      settings: readSettingFields(input),
    })
    return withFieldNames(changed, input.kind)
  },
  () => ({ say: 'Channel saved.' }),
)

/** Sends one message and opens its answer. */
export const sendTest = defineAction(
  { input: z.object({ channel: id }), verb: 'channel.test' },
  (context, { channel }, viewer) =>
    testChannel(context, {
      ...channelSenders(),
      organizationId: viewer.organization.id,
      channelId: channel,
      user: viewer.user,
    }),
  ({ channelId, deliveryId }, viewer) => ({
    go: `/${viewer.organization.slug}/settings/channels/${channelId}?test=${deliveryId}`,
  }),
)

/** `change` is the value of the pressed button. */
export const switchOrDelete = defineAction(
  {
    input: z.object({ channel: id, change: z.enum(['on', 'off', 'delete', 'rotate']) }),
    verb: {
      among: ['channel.change', 'channel.delete'],
      chosen: ({ change }) => (change === 'delete' ? 'channel.delete' : 'channel.change'),
    },
  },
  async (context, { channel, change }, viewer) => {
    const addressed = { organizationId: viewer.organization.id, channelId: channel }
    if (change === 'delete') {
      const result = await deleteChannel(context, addressed)
      return result.ok ? { ok: true as const, change, generated: null } : result
    }
    if (change === 'rotate') {
      const result = await rotateChannelSecret(context, { ...addressed, ...keeper() })
      return result.ok ? { ...result, change } : result
    }
    const result = await switchChannel(context, { ...addressed, isOn: change === 'on' })
    return result.ok ? { ok: true as const, change, generated: null } : result
  },
  ({ change, generated }, viewer) => {
    if (change === 'delete') return { go: `/${viewer.organization.slug}/settings/channels` }
    if (change === 'rotate')
      return { say: 'Secret replaced. Copy the new one now. It can’t be shown again.', secret: generated ?? '' }
    return { say: change === 'on' ? 'Channel switched on.' : 'Channel switched off. Its messages are kept.' }
  },
)

/** An empty `message` means all dead messages of the channel. */
export const resend = defineAction(
  { input: z.object({ channel: id, message: z.string().max(40) }), verb: 'channel.resend' },
  (context, { channel, message }, viewer) =>
    resendMessages(context, {
      organizationId: viewer.organization.id,
      channelId: channel,
      messageId: message === '' ? null : message,
    }),
  ({ count }) => ({
    say: `${formatWhole(count)} ${count === 1 ? 'message is' : 'messages are'} sent again.`,
  }),
)
