import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { ControlSchema } from './schema.ts'

/** What one viewer may read: an organization, and projects in it. */
export type ControlScope = { organizationId: number; projectIds: readonly number[] }

export type HashCount = { projectId: number; version: number; hash: string; events: number }
type HashCountRow = { project_id: number; group_version: number; group_hash: string; events: number }

/**
 * The control database as one viewer may read it. Every query starts from one of these selects, which already have the condition on
 * the projects or on the organization; rows that only belong to another row are joined with it.
 */
export type ScopedControl = ReturnType<typeof scopeControl>

export function scopeControl(db: Kysely<ControlSchema>, { organizationId, projectIds }: ControlScope) {
  // `in ()` is not valid, and no project has the id 0.
  const ids = projectIds.length === 0 ? [0] : projectIds
  const releases = () => db.selectFrom('release').where('release.organization_id', '=', organizationId)
  const bundles = () => db.selectFrom('artifact_bundle').where('artifact_bundle.organization_id', '=', organizationId)
  const teams = () => db.selectFrom('team').where('team.organization_id', '=', organizationId)
  return {
    /** The same with fewer projects. Ids outside of the scope are ignored, and `undefined` means all projects of the scope. */
    within: (chosen: readonly number[] | undefined) =>
      scopeControl(db, {
        organizationId,
        projectIds: chosen === undefined ? projectIds : projectIds.filter(id => chosen.includes(id)),
      }),
    issues: () => db.selectFrom('issue').where('issue.project_id', 'in', ids),
    issueHashes: () => db.selectFrom('issue_hash').where('issue_hash.project_id', 'in', ids),
    /** Of deleted issues whose events are not purged yet. */
    deletedHashes: () => db.selectFrom('deleted_hash').where('deleted_hash.project_id', 'in', ids),
    issueActivity: () => db.selectFrom('issue_activity').where('issue_activity.project_id', 'in', ids),
    issueTickets: () => db.selectFrom('issue_ticket').where('issue_ticket.project_id', 'in', ids),
    issueChanges: () => db.selectFrom('issue_change').where('issue_change.project_id', 'in', ids),
    /** Both sides must be in the scope. */
    linkedGroups: () =>
      db
        .selectFrom('linked_group')
        .where('linked_group.project_id', 'in', ids)
        .where('linked_group.server_project_id', 'in', ids),
    hashHours: () => db.selectFrom('hash_hour').where('hash_hour.project_id', 'in', ids),
    /** Since when digest has counted by day: the same for all viewers. */
    firstCountedDay: () => db.selectFrom('hash_day').select('day').orderBy('day').limit(1),
    /**
     * Counts of hashes that another store has, as a table to join. One JSON parameter, because a statement takes a limited number of them.
     */
    givenCounts: (rows: readonly HashCount[]) => {
      const json = JSON.stringify(rows.map(row => [row.projectId, row.version, row.hash, row.events]))
      return db.getExecutor().adapter instanceof PostgresAdapter
        ? sql<HashCountRow>`(select (value->>0)::bigint as project_id, (value->>1)::bigint as group_version,
            value->>2 as group_hash, (value->>3)::double precision as events from json_array_elements(${json}::json))`
        : sql<HashCountRow>`(select value->>0 as project_id, value->>1 as group_version,
            value->>2 as group_hash, value->>3 as events from json_each(${json}))`
    },
    hashDays: () => db.selectFrom('hash_day').where('hash_day.project_id', 'in', ids),
    projects: () =>
      db.selectFrom('project').where('project.organization_id', '=', organizationId).where('project.id', 'in', ids),
    /** Not among the viewer's projects, but of their organization. */
    deletedProjects: () =>
      db
        .selectFrom('project')
        .where('project.organization_id', '=', organizationId)
        .where('project.deleted_at', 'is not', null),
    projectKeys: () => db.selectFrom('project_key').where('project_key.project_id', 'in', ids),
    projectFilters: () => db.selectFrom('project_filter').where('project_filter.project_id', 'in', ids),
    /** Of the organization, and of the projects in the scope. */
    scrubRules: () =>
      db
        .selectFrom('scrub_rule')
        .where('scrub_rule.organization_id', '=', organizationId)
        .where(({ or, eb }) => or([eb('scrub_rule.project_id', 'is', null), eb('scrub_rule.project_id', 'in', ids)])),
    userErasures: () => db.selectFrom('user_erasure').where('user_erasure.organization_id', '=', organizationId),
    filteredExamples: () => db.selectFrom('filtered_example').where('filtered_example.project_id', 'in', ids),
    /** Releases by the time that each project first saw them. */
    seenReleases: () => db.selectFrom('project_release').where('project_release.project_id', 'in', ids),
    releases,
    releaseProjects: () =>
      releases()
        .innerJoin('release_project', 'release_project.release_id', 'release.id')
        .where('release_project.project_id', 'in', ids),
    deploys: () => releases().innerJoin('deploy', 'deploy.release_id', 'release.id'),
    releaseCommits: () => releases().innerJoin('release_commit', 'release_commit.release_id', 'release.id'),
    bundles,
    bundleFiles: () => bundles().innerJoin('artifact_file', 'artifact_file.bundle_id', 'artifact_bundle.id'),
    bundleReleases: () =>
      bundles().innerJoin('artifact_bundle_release', 'artifact_bundle_release.bundle_id', 'artifact_bundle.id'),
    uploadAttempts: () => db.selectFrom('upload_attempt').where('upload_attempt.organization_id', '=', organizationId),
    organization: () => db.selectFrom('organization').where('organization.id', '=', organizationId),
    members: () =>
      db
        .selectFrom('member')
        .innerJoin('user', 'user.id', 'member.user_id')
        .where('member.organization_id', '=', organizationId),
    teams,
    teamMembers: () => teams().innerJoin('team_member', 'team_member.team_id', 'team.id'),
    authTokens: () => db.selectFrom('auth_token').where('auth_token.organization_id', '=', organizationId),
  }
}
