import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { isReleaseVersion } from '#protocol/release-version.ts'
import { type NewCommit, replaceCommits } from './replace-commits.ts'

type ReleaseFields = {
  url?: string | undefined
  ref?: string | undefined
  startedAt?: number | undefined
  releasedAt?: number | undefined
}
export type SaveRelease = {
  organizationId: number
  version: string
  /** Added to the projects of the release. */
  projectIds: readonly number[]
  fields: ReleaseFields
  /** Replace all existing commits. */
  commits?: readonly NewCommit[] | undefined
}
type SaveReleaseResult = { ok: true; id: number; isNew: boolean } | { ok: false; code: 'release_invalid' }

/** Creates or updates a release. Idempotent, because bundler plugins repeat it for each compiler. */
export function saveRelease(context: CommandContext, given: SaveRelease): Promise<SaveReleaseResult> {
  return inTransaction<SaveReleaseResult>(context, async inner => {
    if (!isReleaseVersion(given.version)) return { ok: false, code: 'release_invalid' }
    const { id, isNew } = await ensureRelease(inner, given)
    const changes = changedColumns(given.fields)
    if (Object.keys(changes).length > 0)
      await inner.db.updateTable('release').set(changes).where('id', '=', id).execute()
    if (given.commits !== undefined) await replaceCommits(inner, id, given.commits)
    await writeAudit(inner, {
      organizationId: given.organizationId,
      action: isNew ? 'release.create' : 'release.update',
      target: `release:${id}`,
      detail: { version: given.version },
    })
    return { ok: true, id, isNew }
  })
}

function changedColumns({ url, ref, startedAt, releasedAt }: ReleaseFields) {
  return {
    ...(url === undefined ? {} : { url }),
    ...(ref === undefined ? {} : { ref }),
    ...(startedAt === undefined ? {} : { started_at: startedAt }),
    ...(releasedAt === undefined ? {} : { released_at: releasedAt }),
  }
}

type EnsureRelease = { organizationId: number; version: string; projectIds: readonly number[] }

/** Finds or creates the release and adds it to the projects. Call it inside a transaction. */
export async function ensureRelease(
  inner: CommandContext,
  { organizationId, version, projectIds }: EnsureRelease,
): Promise<{ id: number; isNew: boolean }> {
  const made = await inner.db
    .insertInto('release')
    .values({
      organization_id: organizationId,
      version,
      created_at: inner.now(),
      started_at: null,
      released_at: null,
    })
    .onConflict(conflict => conflict.columns(['organization_id', 'version']).doNothing())
    .returning('id')
    .executeTakeFirst()
  const { id } =
    made ??
    (await inner.db
      .selectFrom('release')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('version', '=', version)
      .executeTakeFirstOrThrow())
  if (projectIds.length > 0)
    await inner.db
      .insertInto('release_project')
      .values(projectIds.map(projectId => ({ release_id: id, project_id: projectId })))
      .onConflict(conflict => conflict.doNothing())
      .execute()
  return { id, isNew: made !== undefined }
}

type DeleteReleaseResult = { ok: true } | { ok: false; code: 'release_not_found' | 'release_in_use' }

/**
 * Deletes a release with its deploys, commits and links to bundles. A release that was seen in events can't be deleted: the next event
 * would bring it back. Bundles stay, because debug ids still find them; maintenance removes unused ones.
 *
 * A release that hidden projects have too is only taken from the others: their data stays, and a refusal would tell that they have it.
 */
export function deleteRelease(
  context: CommandContext,
  {
    organizationId,
    version,
    hiddenProjectIds = [],
  }: { organizationId: number; version: string; hiddenProjectIds?: readonly number[] },
): Promise<DeleteReleaseResult> {
  return inTransaction<DeleteReleaseResult>(context, async inner => {
    const seen = await inner.db
      .selectFrom('project_release')
      .innerJoin('project', 'project.id', 'project_release.project_id')
      .select('project.id')
      .where('project.organization_id', '=', organizationId)
      .where('project_release.version', '=', version)
      .execute()
    const isHidden = ({ id }: { id: number }) => hiddenProjectIds.includes(id)
    if (!seen.every(isHidden)) return { ok: false, code: 'release_in_use' }
    const registered = await inner.db
      .selectFrom('release')
      .innerJoin('release_project', 'release_project.release_id', 'release.id')
      .select(['release.id as releaseId', 'release_project.project_id as id'])
      .where('release.organization_id', '=', organizationId)
      .where('release.version', '=', version)
      .execute()
    if (seen.length > 0 || registered.some(isHidden)) {
      const [own] = registered.filter(row => !isHidden(row))
      if (own === undefined) return { ok: false, code: 'release_not_found' }
      await inner.db
        .deleteFrom('release_project')
        .where('release_id', '=', own.releaseId)
        .where('project_id', 'not in', [0, ...hiddenProjectIds])
        .execute()
      await auditDeletion(inner, { organizationId, version, releaseId: own.releaseId })
      return { ok: true }
    }
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
    await auditDeletion(inner, { organizationId, version, releaseId: gone.id })
    return { ok: true }
  })
}

const auditDeletion = (
  context: CommandContext,
  { organizationId, version, releaseId }: { organizationId: number; version: string; releaseId: number },
): Promise<void> =>
  writeAudit(context, {
    organizationId,
    action: 'release.delete',
    target: `release:${releaseId}`,
    detail: { version },
  })
