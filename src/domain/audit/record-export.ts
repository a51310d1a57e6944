import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from './write-audit.ts'

type RecordResult = { ok: true }

/** Who took a copy of the log is part of the log. */
export function recordAuditExport(
  context: CommandContext,
  { organizationId }: { organizationId: number },
): Promise<RecordResult> {
  return inTransaction<RecordResult>(context, async inner => {
    await writeAudit(inner, { organizationId, action: 'audit.export', target: `organization:${organizationId}` })
    return { ok: true }
  })
}
