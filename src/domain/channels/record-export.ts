import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'

type RecordResult = { ok: true }

/** Who took a copy of the delivery log. */
export function recordDeliveryExport(
  context: CommandContext,
  { organizationId }: { organizationId: number },
): Promise<RecordResult> {
  return inTransaction<RecordResult>(context, async inner => {
    await writeAudit(inner, { organizationId, action: 'delivery.export', target: `organization:${organizationId}` })
    return { ok: true }
  })
}
