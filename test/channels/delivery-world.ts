/** An organization with channels to local servers, and workers whose steps a test takes one by one. */
import { createChannel } from '#domain/channels/change-channel.ts'
import { attemptMessage } from '#domain/channels/delivery/attempt-message.ts'
import { claimMessages } from '#domain/channels/delivery/claim-messages.ts'
import { deliverBatch } from '#domain/channels/delivery/deliver-batch.ts'
import { settleMessage } from '#domain/channels/delivery/settle-message.ts'
import { enqueue, type NewMessage } from '#domain/channels/enqueue.ts'
import type { Settings } from '#domain/channels/kinds/kind.ts'
import { isObject, textOf } from '#lib/json-value.ts'
import { createTargetRules } from '#lib/outbound/check-target.ts'
import { openMailer } from '#lib/outbound/mailer.ts'
import { createOutbound } from '#lib/outbound/send-request.ts'
import type { Control } from '#store/control/control.ts'
import { makeWorld } from '../contract/workflow-world.ts'
import { hydrantUrl, makeMessage } from './make-message.ts'

export const installationSecret = 's'.repeat(64)

export async function makeDeliveryWorld(control: Control, smtpUrl: string | null = null) {
  const world = await makeWorld(control)
  const { clock, context } = world
  const { organization_id: organizationId } = await control.db
    .selectFrom('project')
    .select('organization_id')
    .executeTakeFirstOrThrow()
  const outbound = createOutbound({
    rules: createTargetRules({ allow: ['127.0.0.0/8'], port: 1, publicUrl: hydrantUrl }),
  })
  const mailer = smtpUrl === null ? null : openMailer({ url: smtpUrl, from: 'Hydrant <alerts@hydrant.example>' })
  const senders = { outbound, mailer, installationSecret, publicUrl: hydrantUrl }
  const buildMessage = async (row: { id: string; message: unknown }) => {
    const given = isObject(row.message) ? row.message : {}
    if (given.gone === true) return null
    if (Array.isArray(given.items))
      return makeMessage({ ...{ id: row.id, kind: 'summary', type: 'summary', issue: null, project: null }, ...given })
    const issueId = Number(given.issue ?? 0)
    const base = makeMessage()
    return {
      ...base,
      id: row.id,
      title: textOf(given.title) || base.title,
      project: { id: world.web, slug: 'web' },
      issue: base.issue && { ...base.issue, id: issueId },
    }
  }
  let created = 0
  return {
    ...world,
    organizationId,
    senders,
    buildMessage,
    addChannel: async (kind: string, settings: Settings, name = `channel ${++created}`): Promise<number> => {
      const made = await createChannel(context, {
        ...{ organizationId, projectId: null, name, kind, settings, ownerUserId: world.userId },
        ...{ installationSecret, checkUrl: outbound.check },
      })
      if (!made.ok) throw new Error(JSON.stringify(made))
      return made.id
    },
    /** In a transaction, as rules do. */
    enqueueAll: (messages: (Partial<NewMessage> & { channelId: number; key: string })[]) =>
      control.db.transaction().execute(async trx => {
        const ids: (string | null)[] = []
        for (const given of messages)
          ids.push(await enqueue(trx, { message: {}, notBefore: clock.now, ...given }, clock.now))
        return ids
      }),
    /** A process that delivers. Leaving out a step is being killed there. */
    worker: (holder: string, build: Parameters<typeof attemptMessage>[0]['buildMessage'] = buildMessage) => {
      const delivery = { ...senders, control, buildMessage: build, holder, now: () => clock.now }
      const claimChannels = () => claimMessages(control.db, { holder, now: clock.now, busyChannels: new Map() })
      const claim = async () => (await claimChannels()).flatMap(({ rows }) => rows)
      const send = (row: Awaited<ReturnType<typeof claim>>[number]) => attemptMessage(delivery, row)
      const settle = (row: Awaited<ReturnType<typeof claim>>[number], sent: Awaited<ReturnType<typeof send>>) =>
        settleMessage(
          { db: control.db, holder, now: clock.now, random: () => 0.5, hasMail: mailer !== null },
          { row, ...sent },
        )
      /** One claim, and what it took. */
      const round = async (): Promise<number> => {
        let count = 0
        for (const { rows } of await claimChannels())
          count += await deliverBatch({ ...delivery, random: () => 0.5 }, rows)
        return count
      }
      /** Everything that is due. */
      const run = async (): Promise<number> => {
        for (let count = 0; ; ) {
          const tried = await round()
          if (tried === 0) return count
          count += tried
        }
      }
      return { claim, send, settle, round, run }
    },
    row: (id: string | null | undefined) =>
      control.db
        .selectFrom('outbox')
        .selectAll()
        .where('id', '=', id ?? '')
        .executeTakeFirstOrThrow(),
    channel: (id: number) =>
      control.db.selectFrom('channel').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    deliveries: () => control.db.selectFrom('delivery').selectAll().orderBy('id').execute(),
  }
}
export type DeliveryWorld = Awaited<ReturnType<typeof makeDeliveryWorld>>
