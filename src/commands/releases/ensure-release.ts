import type { CommandContext } from '../command-context.ts'

export type EnsureRelease = { organizationId: number; version: string; projectIds: readonly number[] }

/** The release of that name, made where it is missing, and a part of these projects from now on. Inside an open transaction. */
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
