import type { Control } from '#store/control/control.ts'

/** The key that Hydrant's own errors are sent with. */
export async function findInternalKey({ db }: Control): Promise<{ projectId: number; publicKey: string } | null> {
  const row = await db
    .selectFrom('project')
    .innerJoin('project_key', 'project_key.project_id', 'project.id')
    .select(['project.id as projectId', 'project_key.public_key as publicKey'])
    .where('project.is_internal', '=', 1)
    .where('project_key.is_active', '=', 1)
    .orderBy('project_key.id')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}
