import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from './write-audit.ts'

type EraseResult = { ok: true; entries: number }

/**
 * Erases what the audit log says about a person: names, addresses, devices and details of entries by them or about them. Who did what
 * to which id stays, and so does the chain, which covers digests that nobody can try out without their salts.
 */
export function eraseFromAudit(context: CommandContext, { userId }: { userId: string }): Promise<EraseResult> {
  return inTransaction<EraseResult>(context, async inner => {
    const erased = await inner.db
      .updateTable('audit')
      .set({
        actor_label: '',
        target_label: '',
        address: '',
        agent: '',
        detail: '{}',
        before: '',
        after: '',
        salt: '',
      })
      .where(eb => eb.or([eb('actor', '=', `user:${userId}`), eb('target', '=', `user:${userId}`)]))
      .returning('organization_id')
      .execute()
    const counts = Map.groupBy(erased, row => row.organization_id)
    for (const [organizationId, rows] of counts)
      await writeAudit(inner, {
        organizationId,
        action: 'audit.erase',
        target: `user:${userId}`,
        label: 'erased',
        detail: { entries: rows.length },
      })
    return { ok: true, entries: erased.length }
  })
}
