/** Commands of members: acknowledge an incident, comment on it, close it by hand. */
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { enqueue } from '#domain/channels/enqueue.ts'
import { pageAcknowledgedMessage } from '#domain/channels/pages/page-messages.ts'
import { readComment } from '#domain/issues/commands/comment-on-issue.ts'
import { asTransaction } from '#store/control/as-transaction.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { scopeControl } from '#store/control/scoped-control.ts'
import { closeIncidents, findOpenIncidents } from './close-incidents.ts'
import { addUpdate } from './incidents.ts'

/** `scope`: the projects that the member sees. */
type Named = { organizationId: number; scope: readonly number[]; incidentId: number }
type Fault = 'incident_not_found' | 'incident_closed'
type Handled = { ok: true } | { ok: false; code: Fault }
type Commented = Handled | { ok: false; code: 'comment_empty' | 'comment_too_long' }

/** Records that a member takes care of it, once. Pagers stop calling others. */
export function acknowledgeIncident(context: CommandContext, named: Named): Promise<Handled> {
  return inTransaction<Handled>(context, async inner => {
    const incident = await lockIncident(inner, named)
    if (incident === null) return { ok: false, code: 'incident_not_found' }
    if (incident.closed_at !== null) return { ok: false, code: 'incident_closed' }
    if (incident.acknowledged_at !== null) return { ok: true }
    const { db, actor, now } = inner
    const at = now()
    await db
      .updateTable('incident')
      .set({ acknowledged_at: at, acknowledged_by: actor })
      .where('id', '=', incident.id)
      .execute()
    await writeUpdate(inner, incident, { kind: 'acknowledged', reason: '' })
    await acknowledgePages(inner, incident.id)
    await audit(inner, incident, 'incident.acknowledge')
    return { ok: true }
  })
}

export function commentOnIncident(context: CommandContext, { text, ...named }: Named & { text: string }) {
  return inTransaction<Commented>(context, async inner => {
    const comment = readComment(text)
    if (!comment.ok) return comment
    const incident = await lockIncident(inner, named)
    if (incident === null) return { ok: false, code: 'incident_not_found' }
    await writeUpdate(inner, incident, { kind: 'comment', reason: comment.text })
    await audit(inner, incident, 'incident.comment')
    return { ok: true }
  })
}

/** Closes it by hand. Its detector opens the next incident only after it was ok once. */
export function closeIncident(context: CommandContext, named: Named): Promise<Handled> {
  return inTransaction<Handled>(context, async inner => {
    const incident = await lockIncident(inner, named)
    if (incident === null) return { ok: false, code: 'incident_not_found' }
    const trx = asTransaction(inner.db)
    const open = await findOpenIncidents(trx, { incidentId: incident.id })
    if (open.length === 0) return { ok: false, code: 'incident_closed' }
    const reason = `Closed by ${await nameOf(inner)}`
    const ending = { reason, actor: inner.actor, forgetsFailure: false }
    await closeIncidents({ trx, enqueue, nowMs: inner.now() }, open, ending)
    await audit(inner, incident, 'incident.close')
    return { ok: true }
  })
}

type Incident = NonNullable<Awaited<ReturnType<typeof lockIncident>>>

/** Null if the member can't see it. */
async function lockIncident({ db }: CommandContext, { organizationId, scope, incidentId }: Named) {
  const seen = await scopeControl(db, { organizationId, projectIds: scope })
    .incidents()
    .select('incident.id')
    .where('incident.id', '=', incidentId)
    .executeTakeFirst()
  if (seen === undefined) return null
  const locked = await db
    .updateTable('incident')
    .set(eb => ({ name: eb.ref('name') }))
    .where('id', '=', incidentId)
    .returning(['id', 'organization_id', 'name', 'severity', 'closed_at', 'acknowledged_at'])
    .executeTakeFirst()
  return locked ?? null
}

const writeUpdate = (
  { db, actor, now }: CommandContext,
  { id, severity }: Incident,
  update: Pick<ControlSchema['incident_update'], 'kind' | 'reason'>,
): Promise<void> => addUpdate(asTransaction(db), id, { at: now(), severity, value: null, actor, ...update })

const audit = (inner: CommandContext, { id, organization_id, name }: Incident, action: string): Promise<void> =>
  writeAudit(inner, { organizationId: organization_id, action, target: `incident:${id}`, detail: { name } })

/** The pages that are only about the incident. */
async function acknowledgePages(inner: CommandContext, incidentId: number): Promise<void> {
  const pages = await inner.db
    .selectFrom('page')
    .select(['id', 'channel_id', 'subject', 'told_at'])
    .where('subject', '=', `incident/${incidentId}`)
    .where('ended_at', 'is', null)
    .execute()
  const message = pageAcknowledgedMessage(await nameOf(inner))
  const at = inner.now()
  for (const { id, channel_id, subject, told_at } of pages) {
    const trx = asTransaction(inner.db)
    const after = Math.max(at, told_at + 1)
    await trx.updateTable('page').set({ told_at: after }).where('id', '=', id).execute()
    const key = `page-acknowledged/${id}`
    await enqueue(trx, { channelId: channel_id, key, message, notBefore: at, subject, pageId: id }, after)
  }
}

async function nameOf({ db, actor }: CommandContext): Promise<string> {
  if (!actor.startsWith('user:')) return 'Hydrant'
  const user = await db
    .selectFrom('user')
    .select('name')
    .where('id', '=', actor.slice('user:'.length))
    .executeTakeFirst()
  return user?.name ?? 'a former member'
}
