import { randomBytes } from 'node:crypto'
import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import { writeAudit } from './write-audit.ts'

export type NewProjectKey = {
  projectId: number
  label?: string | undefined
  /** The key in a DSN that is already in use elsewhere: 32 hex digits. */
  publicKey?: string | undefined
}
export type CreateProjectKeyResult =
  | { ok: true; key: { id: number; publicKey: string } }
  | { ok: false; code: 'key_invalid' | 'key_taken' | 'project_not_found' }

export function createProjectKey(context: CommandContext, given: NewProjectKey): Promise<CreateProjectKeyResult> {
  return inTransaction<CreateProjectKeyResult>(context, async inner => {
    const publicKey = given.publicKey ?? randomBytes(16).toString('hex')
    if (!/^[0-9a-f]{32}$/.test(publicKey)) return { ok: false, code: 'key_invalid' }
    const project = await inner.db
      .selectFrom('project')
      .select('organization_id')
      .where('id', '=', given.projectId)
      .executeTakeFirst()
    if (project === undefined) return { ok: false, code: 'project_not_found' }
    const row = await inner.db
      .insertInto('project_key')
      .values({
        project_id: given.projectId,
        public_key: publicKey,
        label: given.label?.trim() || 'Default',
        is_active: 1,
        events_per_minute: 0,
        created_at: inner.now(),
      })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return { ok: false, code: 'key_taken' }
    await writeAudit(inner, {
      organizationId: project.organization_id,
      action: 'project_key.create',
      target: `project_key:${row.id}`,
      detail: { project: given.projectId },
    })
    return { ok: true, key: { id: row.id, publicKey } }
  })
}
