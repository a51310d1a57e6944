/** Reads before there is a viewer, or for all of them. */
import type { Kysely } from 'kysely'
import { may } from '#domain/access/permissions.ts'
import type { ViewerProject } from '#domain/access/viewer.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema, MemberRole } from '#store/control/schema.ts'

const maxProjects = 1_000 // the project filter can't show more

/** Who looks: with `seesAll`, private projects too; otherwise those of the teams of `userId`, which is null for a token. */
export type Sight = { seesAll: boolean; userId: string | null }
type Seen = { projects: ViewerProject[]; hiddenProjectIds: number[] }

/** The projects of the organization that somebody may see, and the private ones that they may not, for the guards. */
export async function listVisibleProjects(control: Control, organizationId: number, sight: Sight): Promise<Seen> {
  const hiddenProjectIds = await listHiddenProjects(control, organizationId, sight)
  return { projects: await listProjectsExcept(control, organizationId, hiddenProjectIds), hiddenProjectIds }
}

/** Also deleted ones, because their names stay hidden. */
async function listHiddenProjects({ db }: Control, organizationId: number, { seesAll, userId }: Sight) {
  if (seesAll) return []
  const rows = await db
    .selectFrom('project')
    .select('project.id')
    .where('project.organization_id', '=', organizationId)
    .where('project.is_private', '=', 1)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('project_access')
            .innerJoin('team_member', 'team_member.team_id', 'project_access.team_id')
            .select('team_member.team_id')
            .whereRef('project_access.project_id', '=', 'project.id')
            .where('team_member.user_id', '=', userId ?? ''),
        ),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

type Member = { userId: string; role: MemberRole }

/** Tells whether a member sees a project, for messages that go to members. */
export async function readSight(
  db: Kysely<ControlSchema>,
  projectIds: readonly number[],
): Promise<(member: Member, projectId: number) => boolean> {
  const rows = await db
    .selectFrom('project')
    .leftJoin('project_access', 'project_access.project_id', 'project.id')
    .leftJoin('team_member', 'team_member.team_id', 'project_access.team_id')
    .select(['project.id', 'team_member.user_id as userId'])
    .where('project.is_private', '=', 1)
    .where('project.id', 'in', [0, ...projectIds])
    .execute()
  const insiders = Map.groupBy(rows, ({ id }) => id)
  return ({ userId, role }, projectId) => {
    const own = insiders.get(projectId)
    return own === undefined || may(role, 'project:all') || own.some(row => row.userId === userId)
  }
}

async function listProjectsExcept({ db }: Control, organizationId: number, hidden: readonly number[]) {
  const rows = await db
    .selectFrom('project')
    .select(['id', 'slug', 'name', 'is_internal', 'is_private'])
    .where('organization_id', '=', organizationId)
    .where('id', 'not in', [0, ...hidden])
    .where('deleted_at', 'is', null)
    .orderBy('is_internal')
    .orderBy('slug')
    .limit(maxProjects)
    .execute()
  const former = await db
    .selectFrom('former_slug')
    .select(['project_id', 'slug'])
    .where('organization_id', '=', organizationId)
    .execute()
  const slugs = Map.groupBy(former, row => row.project_id)
  return rows.map(row => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    isInternal: row.is_internal === 1,
    isPrivate: row.is_private === 1,
    formerSlugs: (slugs.get(row.id) ?? []).map(({ slug }) => slug),
  }))
}

export type ProjectStats = { projectId: number; eventCount: number; itemCount: number; updatedAt: number }

/** Stats of all projects that have received something since a time. Unscoped, for the live updates of all organizations. */
export async function listProjectStats({ db }: Control, since: number): Promise<ProjectStats[]> {
  const rows = await db
    .selectFrom('project_stats')
    .select(['project_id', 'event_count', 'item_count', 'updated_at'])
    .where('updated_at', '>=', since)
    .limit(10_000)
    .execute()
  return rows.map(row => ({
    projectId: row.project_id,
    eventCount: row.event_count,
    itemCount: row.item_count,
    updatedAt: row.updated_at,
  }))
}

/** The key for Hydrant's own errors. */
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
