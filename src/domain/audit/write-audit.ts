import type { CommandContext } from '#domain/access/command-context.ts'

type AuditEntry = {
  organizationId: number | null
  /** Noun and verb: `project.create`. */
  action: string
  /** The changed object: `project:12`. */
  target: string
  detail?: Record<string, string | number>
}

/** Call it with the context of an open transaction, so that no change exists without its entry. */
export async function writeAudit({ db, actor, now }: CommandContext, entry: AuditEntry): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      organization_id: entry.organizationId,
      actor,
      action: entry.action,
      target: entry.target,
      detail: JSON.stringify(entry.detail ?? {}),
      at: now(),
    })
    .execute()
}
