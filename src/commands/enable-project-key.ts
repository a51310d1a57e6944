import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import { writeAudit } from './write-audit.ts'

export type EnableProjectKeyResult = { ok: true } | { ok: false; code: 'key_not_found' }

/** The other half of disableProjectKey: a key that was switched off by mistake works again, with the DSN people have. */
export function enableProjectKey(
  context: CommandContext,
  { projectId, keyId }: { projectId: number; keyId: number },
): Promise<EnableProjectKeyResult> {
  return inTransaction<EnableProjectKeyResult>(context, async inner => {
    const key = await inner.db
      .selectFrom('project_key')
      .innerJoin('project', 'project.id', 'project_key.project_id')
      .select(['project.organization_id', 'project_key.is_active'])
      .where('project_key.id', '=', keyId)
      .where('project_key.project_id', '=', projectId)
      .executeTakeFirst()
    if (key === undefined) return { ok: false, code: 'key_not_found' }
    if (key.is_active === 1) return { ok: true }
    await inner.db.updateTable('project_key').set({ is_active: 1 }).where('id', '=', keyId).execute()
    await writeAudit(inner, {
      organizationId: key.organization_id,
      action: 'project_key.enable',
      target: `project_key:${keyId}`,
      detail: { project: projectId },
    })
    return { ok: true }
  })
}
