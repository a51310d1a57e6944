import type { CommandContext } from '../command-context.ts'
import { inTransaction } from '../in-transaction.ts'
import { writeAudit } from '../write-audit.ts'

export type DeleteReleaseResult = { ok: true } | { ok: false; code: 'release_not_found' | 'release_in_use' }

/**
 * Takes away what was told about a release: deploys, commits, which bundles belong to it. A release that events came with
 * stays: it would be back with the next one. Bundles stay as well, because debug ids still find them; unused ones go by themselves.
 */
export function deleteRelease(
  context: CommandContext,
  { organizationId, version }: { organizationId: number; version: string },
): Promise<DeleteReleaseResult> {
  return inTransaction<DeleteReleaseResult>(context, async inner => {
    const seen = await inner.db
      .selectFrom('project_release')
      .innerJoin('project', 'project.id', 'project_release.project_id')
      .select('project.id')
      .where('project.organization_id', '=', organizationId)
      .where('project_release.version', '=', version)
      .executeTakeFirst()
    if (seen !== undefined) return { ok: false, code: 'release_in_use' }
    const gone = await inner.db
      .deleteFrom('release')
      .where('organization_id', '=', organizationId)
      .where('version', '=', version)
      .returning('id')
      .executeTakeFirst()
    if (gone === undefined) return { ok: false, code: 'release_not_found' }
    await inner.db
      .deleteFrom('artifact_bundle_release')
      .where('release', '=', version)
      .where('bundle_id', 'in', own =>
        own.selectFrom('artifact_bundle').select('id').where('organization_id', '=', organizationId),
      )
      .execute()
    await writeAudit(inner, {
      organizationId,
      action: 'release.delete',
      target: `release:${gone.id}`,
      detail: { version },
    })
    return { ok: true }
  })
}
