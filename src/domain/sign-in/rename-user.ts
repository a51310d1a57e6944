import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'

type RenameResult = { ok: true } | { ok: false; code: 'name_missing' }

export function renameUser(context: CommandContext, given: { userId: string; name: string }) {
  return inTransaction<RenameResult>(context, async inner => {
    const name = given.name.trim()
    if (name === '') return { ok: false, code: 'name_missing' }
    await inner.db
      .updateTable('user')
      .set({ name, updatedAt: new Date(inner.now()).toISOString() })
      .where('id', '=', given.userId)
      .execute()
    await writeAudit(inner, { organizationId: null, action: 'user.rename', target: `user:${given.userId}` })
    return { ok: true }
  })
}
