import type { CommandContext } from '#domain/access/command-context.ts'
import { inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { isReleaseVersion } from '#protocol/release-version.ts'
import { ensureRelease } from './save-release.ts'

type NewDeploy = {
  organizationId: number
  version: string
  projectIds: readonly number[]
  environment: string
  name: string
  url: string
  startedAt: number | null
  finishedAt: number
}
type Deploy = Omit<NewDeploy, 'organizationId' | 'version' | 'projectIds'> & { id: number }
type CreateDeployResult =
  | { ok: true; deploy: Deploy; isNew: boolean }
  | { ok: false; code: 'release_invalid' | 'environment_invalid' }

/** Bundler plugins report a deploy twice: the same one within this time is a duplicate. */
const duplicateWithinMs = 5 * 60_000

export function createDeploy(context: CommandContext, given: NewDeploy): Promise<CreateDeployResult> {
  return inTransaction<CreateDeployResult>(context, async inner => {
    const { organizationId, version, projectIds, ...fields } = given
    if (!isReleaseVersion(version)) return { ok: false, code: 'release_invalid' }
    if (!/^[^\s/]{1,64}$/.test(fields.environment)) return { ok: false, code: 'environment_invalid' }
    const release = await ensureRelease(inner, { organizationId, version, projectIds })
    const duplicate = await findDuplicate(inner, release.id, fields)
    if (duplicate !== undefined) return { ok: true, deploy: { ...fields, id: duplicate.id }, isNew: false }
    const { id } = await inner.db
      .insertInto('deploy')
      .values({
        release_id: release.id,
        environment: fields.environment,
        name: fields.name,
        url: fields.url,
        started_at: fields.startedAt,
        finished_at: fields.finishedAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    // A deployed release counts as released.
    await inner.db
      .updateTable('release')
      .set({ released_at: fields.finishedAt })
      .where('id', '=', release.id)
      .where('released_at', 'is', null)
      .execute()
    await writeAudit(inner, {
      organizationId,
      action: 'deploy.create',
      target: `deploy:${id}`,
      detail: { version, environment: fields.environment },
    })
    return { ok: true, deploy: { ...fields, id }, isNew: true }
  })
}

function findDuplicate(
  { db }: CommandContext,
  releaseId: number,
  { environment, name, url, finishedAt }: Omit<Deploy, 'id'>,
) {
  return db
    .selectFrom('deploy')
    .select('id')
    .where('release_id', '=', releaseId)
    .where('environment', '=', environment)
    .where('name', '=', name)
    .where('url', '=', url)
    .where('finished_at', '>', finishedAt - duplicateWithinMs)
    .where('finished_at', '<', finishedAt + duplicateWithinMs)
    .orderBy('id')
    .executeTakeFirst()
}
