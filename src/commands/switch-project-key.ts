import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import { writeAudit } from './write-audit.ts'

export type SwitchProjectKeyResult = { ok: true } | { ok: false; code: 'key_not_found' }

/** The project is part of the question, so that a key of somebody else's project is simply not there. */
export function switchProjectKey(
  context: CommandContext,
  { projectId, keyId, isActive }: { projectId: number; keyId: number; isActive: boolean },
): Promise<SwitchProjectKeyResult> {
  return inTransaction<SwitchProjectKeyResult>(context, async inner => {
    const key = await inner.db
      .selectFrom('project_key')
      .innerJoin('project', 'project.id', 'project_key.project_id')
      .select(['project.organization_id', 'project_key.is_active'])
      .where('project_key.id', '=', keyId)
      .where('project_key.project_id', '=', projectId)
      .executeTakeFirst()
    if (key === undefined) return { ok: false, code: 'key_not_found' }
    const flag = isActive ? 1 : 0
    if (key.is_active === flag) return { ok: true }
    await inner.db.updateTable('project_key').set({ is_active: flag }).where('id', '=', keyId).execute()
    await writeAudit(inner, {
      organizationId: key.organization_id,
      action: isActive ? 'project_key.enable' : 'project_key.disable',
      target: `project_key:${keyId}`,
      detail: { project: projectId },
    })
    return { ok: true }
  })
}
