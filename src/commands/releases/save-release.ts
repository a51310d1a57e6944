import { isReleaseVersion } from '#protocol/release-version.ts'
import type { CommandContext } from '../command-context.ts'
import { inTransaction } from '../in-transaction.ts'
import { writeAudit } from '../write-audit.ts'
import { ensureRelease } from './ensure-release.ts'
import { type NewCommit, replaceCommits } from './replace-commits.ts'

export type ReleaseFields = {
  url?: string | undefined
  ref?: string | undefined
  startedAt?: number | undefined
  releasedAt?: number | undefined
}
export type SaveRelease = {
  organizationId: number
  version: string
  /** Added to the projects that the release belongs to already. */
  projectIds: readonly number[]
  fields: ReleaseFields
  /** Take the place of all commits of before. */
  commits?: readonly NewCommit[] | undefined
}
export type SaveReleaseResult = { ok: true; id: number; isNew: boolean } | { ok: false; code: 'release_invalid' }

/** Makes a release or changes one. The same call twice leaves what one leaves: bundlers repeat it for each of their compilers. */
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
