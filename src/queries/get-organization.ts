import type { Viewer } from './viewer.ts'

/** The viewer's organisation, with what the guard has no use for. */
export async function getOrganization(viewer: Viewer) {
  const { created_at } = await viewer.control.db
    .selectFrom('organization')
    .select('created_at')
    .where('id', '=', viewer.organization.id)
    .executeTakeFirstOrThrow()
  return { ...viewer.organization, createdAt: created_at }
}

export type Organization = Awaited<ReturnType<typeof getOrganization>>
