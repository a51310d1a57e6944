/** Commands that create, change and delete channels. */
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import type { TargetFault } from '#lib/outbound/check-target.ts'
import { asTransaction } from '#store/control/as-transaction.ts'
import { scopeControl } from '#store/control/scoped-control.ts'
import { readSettings, storeSettings } from './channel-settings.ts'
import { channelChange, channelValues } from './channel-values.ts'
import { reviveChannel, switchOff } from './delivery/channel-health.ts'
import { testMessage } from './delivery/own-messages.ts'
import { describeFault } from './delivery/send-message.ts'
import type { ChannelKind, Settings, SettingsFaults } from './kinds/kind.ts'
import { findKind } from './kinds/list.ts'
import { endPagesOfChannel } from './pages/end-pages.ts'
import { replaceChannel, retireChannel } from './pages/retire-channel.ts'
import { lineOf } from './text.ts'

type Keeper = {
  installationSecret: string
  /** What is wrong with a URL before it is tried. */
  checkUrl(url: string): TargetFault | null
}
type Refusal = {
  ok: false
  code: 'kind_unknown' | 'channel_not_found' | 'name_missing' | 'channel_name_taken' | 'project_not_found'
}
/** `fields`: what is wrong with which setting. */
type InvalidSettings = { ok: false; code: 'settings_invalid'; fields: SettingsFaults }
type Saved = { ok: true; id: number; generated: string | null }

type NewChannel = Keeper & {
  organizationId: number
  projectId: number | null
  name: string
  kind: string
  settings: Settings
  ownerUserId: string | null
}

export function createChannel(context: CommandContext, given: NewChannel) {
  return inTransaction<Saved | Refusal | InvalidSettings>(context, async inner => {
    const kind = findKind(given.kind)
    if (kind === null) return { ok: false, code: 'kind_unknown' }
    const name = lineOf(given.name, 80)
    const refusal = await findRefusal(inner, { ...given, name })
    if (refusal !== null) return { ok: false, code: refusal }
    const generated = kind.generate?.(given.settings) ?? {}
    const checked = checkSettings(kind, { ...given.settings, ...generated }, given)
    if (!checked.ok) return checked
    const stored = await storeSettings(inner.db, given.installationSecret, kind, checked.settings)
    const { organizationId, projectId, ownerUserId } = given
    const row = await inner.db
      .insertInto('channel')
      .values({
        organization_id: organizationId,
        project_id: projectId,
        name,
        kind: kind.id,
        ...stored,
        state_at: inner.now(),
        owner_user_id: ownerUserId,
        created_at: inner.now(),
      })
      .onConflict(conflict => conflict.columns(['organization_id', 'name']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return { ok: false, code: 'channel_name_taken' }
    await writeAudit(inner, {
      organizationId,
      action: 'channel.create',
      target: `channel:${row.id}`,
      detail: { name, kind: kind.id },
      after: channelValues({ name, kind, settings: checked.settings, project: await findSlug(inner, given) }),
    })
    return { ok: true, id: row.id, generated: generated.secret ?? null }
  })
}

type ChannelChange = Keeper & {
  organizationId: number
  channelId: number
  projectId: number | null
  name: string
  /** Secrets that are left out or empty stay as they are. */
  settings: Settings
}

/** Saving a channel that was switched off switches it on again. */
export function changeChannel(context: CommandContext, given: ChannelChange) {
  return inTransaction<Saved | Refusal | InvalidSettings>(context, async inner => {
    const { organizationId, channelId, projectId, installationSecret } = given
    const channel = await findChannelRow(inner, given)
    const kind = findKind(channel?.kind ?? '')
    if (channel === undefined || kind === null) return { ok: false, code: 'channel_not_found' }
    const name = lineOf(given.name, 80)
    const refusal = await findRefusal(inner, { ...given, name })
    if (refusal !== null) return { ok: false, code: refusal }
    const before = await readSettings(inner.db, installationSecret, channel)
    const kept = before.ok ? before.settings : {}
    const entered = Object.entries(given.settings).filter(
      ([field, text]) => text.trim() !== '' || kind.fields.find(each => each.name === field)?.isSecret !== true,
    )
    const checked = checkSettings(kind, { ...kept, ...Object.fromEntries(entered) }, given)
    if (!checked.ok) return checked
    const stored = await storeSettings(inner.db, installationSecret, kind, checked.settings)
    // Only the old settings reach what is open.
    if (before.ok && !areEqual(kept, checked.settings))
      await replaceChannel(asTransaction(inner.db), channel, inner.now())
    await inner.db
      .updateTable('channel')
      .set({ name, project_id: projectId, ...stored })
      .where('id', '=', channelId)
      .execute()
    await reviveChannel(inner.db, { channelId, now: inner.now() })
    const old = {
      name: channel.name,
      project: await findSlug(inner, { organizationId, projectId: channel.project_id }),
    }
    const fresh = { name, project: await findSlug(inner, given) }
    await writeAudit(inner, {
      organizationId,
      action: 'channel.change',
      target: `channel:${channelId}`,
      detail: { name, kind: kind.id },
      ...channelChange({ ...old, kind, settings: kept }, { ...fresh, kind, settings: checked.settings }),
    })
    return { ok: true, id: channelId, generated: null }
  })
}

type Addressed = { organizationId: number; channelId: number }

/** `rotate` replaces the signing secret; with two of them, receivers have a day to change. */
export function rotateChannelSecret(context: CommandContext, given: Addressed & Pick<Keeper, 'installationSecret'>) {
  return inTransaction<Saved | Refusal>(context, async inner => {
    const channel = await findChannelRow(inner, given)
    const read = channel && (await readSettings(inner.db, given.installationSecret, channel))
    if (!read?.ok || read.kind.rotate === null) return { ok: false, code: 'channel_not_found' }
    const rotated = { ...read.settings, ...read.kind.rotate(read.settings, inner.now()) }
    const stored = await storeSettings(inner.db, given.installationSecret, read.kind, rotated)
    await inner.db.updateTable('channel').set(stored).where('id', '=', given.channelId).execute()
    const { organizationId, channelId } = given
    const detail = { name: channel?.name ?? '' }
    await writeAudit(inner, { organizationId, action: 'channel.rotate_secret', target: `channel:${channelId}`, detail })
    return { ok: true, id: channelId, generated: rotated.secret ?? null }
  })
}

export function switchChannel(context: CommandContext, given: Addressed & { isOn: boolean }) {
  return inTransaction<{ ok: true } | Refusal>(context, async inner => {
    const { organizationId, channelId, isOn } = given
    const channel = await findChannelRow(inner, given)
    if (channel === undefined) return { ok: false, code: 'channel_not_found' }
    if (isOn) await reviveChannel(inner.db, { channelId, now: inner.now() })
    else {
      await switchOff(inner.db, { channelId, now: inner.now() })
      await endPagesOfChannel(asTransaction(inner.db), channelId, 'the channel was turned off', inner.now())
    }
    const action = isOn ? 'channel.enable' : 'channel.disable'
    await writeAudit(inner, { organizationId, action, target: `channel:${channelId}`, detail: { name: channel.name } })
    return { ok: true }
  })
}

/** With its messages and its log. A pager closes first what it opened. */
export function deleteChannel(context: CommandContext, given: Addressed) {
  return inTransaction<{ ok: true } | Refusal>(context, async inner => {
    const { organizationId, channelId } = given
    const channel = await findChannelRow(inner, given)
    if (channel === undefined) return { ok: false, code: 'channel_not_found' }
    await retireChannel(asTransaction(inner.db), channel, 'the channel was deleted', inner.now())
    await inner.db.deleteFrom('channel').where('id', '=', channelId).execute()
    const detail = { name: channel.name, kind: channel.kind }
    await writeAudit(inner, { organizationId, action: 'channel.delete', target: `channel:${channelId}`, detail })
    return { ok: true }
  })
}

type ResendResult = { ok: true; count: number } | { ok: false; code: 'message_not_found' }

/** Queues dead messages again, one or all of a channel, and what a dead summary stood for. */
export function resendMessages(context: CommandContext, given: Addressed & { messageId: string | null }) {
  return inTransaction<ResendResult>(context, async inner => {
    const { organizationId, channelId, messageId } = given
    const result = await inner.db
      .updateTable('outbox')
      .set({
        ...{ state: 'queued', attempts: 0, first_attempt_at: null },
        ...{ not_before: inner.now(), leased_by: '', leased_until: 0 },
      })
      .where('organization_id', '=', organizationId)
      .where('channel_id', '=', channelId)
      .where('state', '=', 'dead')
      .$if(messageId !== null, query =>
        query.where(({ or, eb }) => or([eb('id', '=', messageId ?? ''), eb('summary_id', '=', messageId ?? '')])),
      )
      .executeTakeFirst()
    const count = Number(result.numUpdatedRows)
    if (count === 0) return { ok: false, code: 'message_not_found' }
    await writeAudit(inner, {
      organizationId,
      action: 'channel.resend',
      target: `channel:${channelId}`,
      detail: { name: (await findChannelRow(inner, given))?.name ?? '', messages: count },
    })
    return { ok: true, count }
  })
}

/** Finds only channels of this organization. */
export function findChannelRow({ db }: CommandContext, { organizationId, channelId }: Addressed) {
  return scopeControl(db, { organizationId, projectIds: [] })
    .channels()
    .selectAll()
    .where('channel.id', '=', channelId)
    .executeTakeFirst()
}

/** The project of a channel, in words; empty for one of the whole organization. */
async function findSlug(
  { db }: CommandContext,
  { organizationId, projectId }: { organizationId: number; projectId: number | null },
): Promise<string> {
  if (projectId === null) return ''
  const scope = scopeControl(db, { organizationId, projectIds: [projectId] })
  return (await scope.projects().select('project.slug').executeTakeFirst())?.slug ?? ''
}

async function findRefusal(
  { db }: CommandContext,
  {
    organizationId,
    projectId,
    name,
    channelId,
  }: Pick<NewChannel, 'organizationId' | 'projectId' | 'name'> & { channelId?: number },
): Promise<Refusal['code'] | null> {
  if (name === '') return 'name_missing'
  const taken = await scopeControl(db, { organizationId, projectIds: [] })
    .channels()
    .select('channel.id')
    .where('channel.name', '=', name)
    .executeTakeFirst()
  if (taken !== undefined && taken.id !== channelId) return 'channel_name_taken'
  if (projectId === null) return null
  const project = await scopeControl(db, { organizationId, projectIds: [projectId] })
    .projects()
    .select('project.id')
    .executeTakeFirst()
  return project === undefined ? 'project_not_found' : null
}

const areEqual = (one: Settings, other: Settings): boolean =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every(name => (one[name] ?? '') === (other[name] ?? ''))

type CheckedSettings = { ok: true; settings: Settings } | InvalidSettings

/** By the schema of the kind, and by where its requests would go. */
function checkSettings(kind: ChannelKind, given: Settings, { checkUrl }: Pick<Keeper, 'checkUrl'>): CheckedSettings {
  const parsed = kind.parse(given)
  if (!parsed.ok) return { ok: false, code: 'settings_invalid', fields: parsed.faults }
  const sample = testMessage(
    { id: '', at: 0, organization: { slug: '', name: '' } },
    { channel: { id: 0, name: '', kind: kind.id }, by: '', publicUrl: 'https://hydrant.example' },
  )
  const url = kind.render?.(sample, parsed.settings, { now: 0, publicUrl: '' }).url
  const fault = url === undefined ? null : checkUrl(url)
  if (fault === null) return parsed
  const field = kind.fields.find(({ name }) => name === 'url' || name === 'server')?.name ?? ''
  return { ok: false, code: 'settings_invalid', fields: { [field]: describeFault(fault) } }
}
