import {
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { ControlSchema } from './schema.ts'

/** The data that one viewer may read: an organization, and projects in it. */
export type ControlScope = {
  organizationId: number
  projectIds: readonly number[]
  /** Private projects of the organization that the viewer may not see: what only they have is not there. */
  hiddenProjectIds?: readonly number[]
}

export type HashCount = { projectId: number; version: number; hash: string; events: number }
type HashCountRow = { project_id: number; group_version: number; group_hash: string; events: number }
export type Period = ControlSchema['hash_hour'] & ControlSchema['hash_day']

const hashChars = 32
const versionChars = 3
/** A text of fixed columns: an array for each count takes SQLite four times as long to read. */
const countKey = ({ hash, version, projectId }: HashCount): string =>
  `${hash.padEnd(hashChars)}${String(version).padStart(versionChars)}${projectId}`

/** A release that is registered for or was seen in hidden projects is visible only if another project has it too. */
const isVisible =
  (hidden: readonly number[], organizationId: number) =>
  (eb: ExpressionBuilder<ControlSchema, 'release'>): Expression<SqlBool> => {
    const registered = eb
      .selectFrom('release_project')
      .select('release_project.project_id')
      .whereRef('release_project.release_id', '=', 'release.id')
    const seen = eb
      .selectFrom('project_release')
      .innerJoin('project', 'project.id', 'project_release.project_id')
      .select('project_release.project_id')
      .where('project.organization_id', '=', organizationId)
      .whereRef('project_release.version', '=', 'release.version')
    const registeredBy = (operator: 'in' | 'not in') => registered.where('release_project.project_id', operator, hidden)
    const seenBy = (operator: 'in' | 'not in') => seen.where('project_release.project_id', operator, hidden)
    return eb.or([
      eb.not(eb.or([eb.exists(registeredBy('in')), eb.exists(seenBy('in'))])),
      eb.exists(registeredBy('not in')),
      eb.exists(seenBy('not in')),
    ])
  }

/** An upload for hidden projects is visible only if it is for another project too. */
const isVisibleBundle =
  (hidden: readonly number[]) =>
  (eb: ExpressionBuilder<ControlSchema, 'artifact_bundle'>): Expression<SqlBool> => {
    const projects = (operator: 'in' | 'not in') =>
      eb
        .selectFrom('artifact_bundle_project')
        .select('artifact_bundle_project.project_id')
        .whereRef('artifact_bundle_project.bundle_id', '=', 'artifact_bundle.id')
        .where('artifact_bundle_project.project_id', operator, hidden)
    return eb.or([eb.not(eb.exists(projects('in'))), eb.exists(projects('not in'))])
  }

/**
 * The control database as one viewer may read it. Every query starts from one of these selects, which already have the condition on
 * the projects or on the organization; rows that only belong to another row are joined with it.
 */
export type ScopedControl = ReturnType<typeof scopeControl>

export function scopeControl(db: Kysely<ControlSchema>, scope: ControlScope) {
  const { organizationId, projectIds, hiddenProjectIds: hidden = [] } = scope
  // `in ()` is not valid, and no project has the id 0.
  const ids = projectIds.length === 0 ? [0] : projectIds
  const allReleases = () => db.selectFrom('release').where('release.organization_id', '=', organizationId)
  const releases = () => (hidden.length === 0 ? allReleases() : allReleases().where(isVisible(hidden, organizationId)))
  const hiddenReleases = () => allReleases().where(eb => eb.not(isVisible(hidden, organizationId)(eb)))
  const bundles = () =>
    db
      .selectFrom('artifact_bundle')
      .where('artifact_bundle.organization_id', '=', organizationId)
      .$if(hidden.length > 0, query => query.where(isVisibleBundle(hidden)))
  /** One of a hidden project would tell its name. */
  const channels = () =>
    db
      .selectFrom('channel')
      .where('channel.organization_id', '=', organizationId)
      .where('channel.retired_at', 'is', null)
      .$if(hidden.length > 0, query =>
        query.where(({ or, eb }) =>
          or([eb('channel.project_id', 'is', null), eb('channel.project_id', 'not in', hidden)]),
        ),
      )
  const teams = () => db.selectFrom('team').where('team.organization_id', '=', organizationId)
  const rules = () =>
    db
      .selectFrom('alert_rule')
      .where('alert_rule.organization_id', '=', organizationId)
      .where(({ or, eb }) => or([eb('alert_rule.project_id', 'is', null), eb('alert_rule.project_id', 'in', ids)]))
  const incidents = () =>
    db
      .selectFrom('incident')
      .where('incident.organization_id', '=', organizationId)
      .where(({ or, eb }) => or([eb('incident.project_id', 'is', null), eb('incident.project_id', 'in', ids)]))
  return {
    /** The same with fewer projects. Ids outside of the scope are ignored, and `undefined` means all projects of the scope. */
    within: (chosen: readonly number[] | undefined) =>
      scopeControl(db, {
        ...scope,
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
    /** Digest's counts by hour or by day. */
    periods: (table: 'hash_hour' | 'hash_day') =>
      db
        .selectFrom(sql<Period>`${sql.table(table)}`.as<'periods'>(sql.ref('periods')))
        .where('periods.project_id', 'in', ids),
    /** Since when digest has counted by day: the same for all viewers. */
    firstCountedDay: () => db.selectFrom('hash_day').select('day').orderBy('day').limit(1),
    /**
     * Counts of hashes that another store has, as a table to join. One JSON parameter, because a statement takes a limited number of them.
     */
    givenCounts: (rows: readonly HashCount[]) => {
      const json = JSON.stringify(Object.fromEntries(rows.map(row => [countKey(row), row.events])))
      const given = (pairs: RawBuilder<unknown>, events: RawBuilder<unknown>) =>
        sql<HashCountRow>`(select cast(substr(key, ${hashChars + versionChars + 1}) as bigint) as project_id,
            cast(substr(key, ${hashChars + 1}, ${versionChars}) as bigint) as group_version,
            substr(key, 1, ${hashChars}) as group_hash, ${events} as events from ${pairs} as given)`
      return db.getExecutor().adapter instanceof PostgresAdapter
        ? given(sql`json_each_text(${json}::json)`, sql`value::double precision`)
        : given(sql`json_each(${json})`, sql`value`)
    },
    /** Ids as a set, in one parameter however many there are. */
    givenIds: (values: readonly number[]) => {
      const json = JSON.stringify(values)
      return db.getExecutor().adapter instanceof PostgresAdapter
        ? sql<number>`(select value::bigint from json_array_elements_text(${json}::json))`
        : sql<number>`(select value from json_each(${json}))`
    },
    /** Whether a column has a pattern of LIKE, in upper or lower case. SQLite's LIKE ignores the case itself, and lower() would be most of its time. */
    isLike: (column: 'issue.title' | 'issue.culprit', pattern: string) =>
      db.getExecutor().adapter instanceof PostgresAdapter
        ? sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern.toLowerCase()} escape '\\'`
        : sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`,
    projects: () =>
      db.selectFrom('project').where('project.organization_id', '=', organizationId).where('project.id', 'in', ids),
    /** Not among the viewer's projects, but of their organization. */
    deletedProjects: () =>
      db
        .selectFrom('project')
        .where('project.organization_id', '=', organizationId)
        .where('project.deleted_at', 'is not', null)
        .where('project.id', 'not in', [0, ...hidden]),
    projectStats: () => db.selectFrom('project_stats').where('project_stats.project_id', 'in', ids),
    knownRoutes: () => db.selectFrom('known_route').where('known_route.project_id', 'in', ids),
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
    /** Those that only hidden projects have. */
    hiddenReleases: () => (hidden.length === 0 ? allReleases().where('release.id', '=', 0) : hiddenReleases()),
    releaseProjects: () =>
      releases()
        .innerJoin('release_project', 'release_project.release_id', 'release.id')
        .where('release_project.project_id', 'in', ids),
    deploys: () => releases().innerJoin('deploy', 'deploy.release_id', 'release.id'),
    releaseCommits: () => releases().innerJoin('release_commit', 'release_commit.release_id', 'release.id'),
    bundles,
    bundleFiles: () => bundles().innerJoin('artifact_file', 'artifact_file.bundle_id', 'artifact_bundle.id'),
    bundleReleases: () =>
      bundles()
        .innerJoin('artifact_bundle_release', 'artifact_bundle_release.bundle_id', 'artifact_bundle.id')
        .$if(hidden.length > 0, query =>
          query.where('artifact_bundle_release.release', 'not in', hiddenReleases().select('release.version')),
        ),
    uploadAttempts: () =>
      db
        .selectFrom('upload_attempt')
        .where('upload_attempt.organization_id', '=', organizationId)
        .$if(hidden.length > 0, query =>
          query.where('upload_attempt.release', 'not in', hiddenReleases().select('release.version')),
        ),
    /** The teams that own the viewer's projects. */
    projectTeams: () =>
      teams()
        .innerJoin('project_access', 'project_access.team_id', 'team.id')
        .where('project_access.project_id', 'in', ids),
    organization: () => db.selectFrom('organization').where('organization.id', '=', organizationId),
    members: () =>
      db
        .selectFrom('member')
        .innerJoin('user', 'user.id', 'member.user_id')
        .where('member.organization_id', '=', organizationId),
    teams,
    teamMembers: () => teams().innerJoin('team_member', 'team_member.team_id', 'team.id'),
    /** Those that can still be accepted. */
    invitations: (now: number) =>
      db
        .selectFrom('invitation')
        .where('invitation.organization_id', '=', organizationId)
        .where('invitation.accepted_at', 'is', null)
        .where('invitation.revoked_at', 'is', null)
        .where('invitation.expires_at', '>', now),
    audit: () => db.selectFrom('audit').where('audit.organization_id', '=', organizationId),
    auditChain: () => db.selectFrom('audit_chain').where('audit_chain.organization_id', '=', organizationId),
    channels,
    outbox: () => db.selectFrom('outbox').where('outbox.organization_id', '=', organizationId),
    deliveries: () => channels().innerJoin('delivery', 'delivery.channel_id', 'channel.id'),
    /** Of the organization; a rule about one project only if the viewer has it. */
    alertRules: rules,
    alertRuleChannels: () =>
      rules()
        .innerJoin('alert_rule_channel', 'alert_rule_channel.rule_id', 'alert_rule.id')
        .innerJoin('channel', 'channel.id', 'alert_rule_channel.channel_id')
        .$if(hidden.length > 0, query =>
          query.where(({ or, eb }) =>
            or([eb('channel.project_id', 'is', null), eb('channel.project_id', 'not in', hidden)]),
          ),
        ),
    alertRuleDays: () => rules().innerJoin('alert_rule_day', 'alert_rule_day.rule_id', 'alert_rule.id'),
    /** Times when the installation accepted no data. They are the same for all organizations. */
    ingestPauses: () => db.selectFrom('ingest_pause'),
    incidents,
    incidentUpdates: () => incidents().innerJoin('incident_update', 'incident_update.incident_id', 'incident.id'),
    detectors: () => rules().innerJoin('detector', 'detector.rule_id', 'alert_rule.id'),
    /** A member's own views of lists, and those that are shared. */
    savedViewsOf: (userId: string) =>
      db
        .selectFrom('saved_view')
        .where('saved_view.organization_id', '=', organizationId)
        .where(({ or, eb }) => or([eb('saved_view.is_shared', '=', 1), eb('saved_view.user_id', '=', userId)])),
    notificationsOf: (userId: string) =>
      db
        .selectFrom('notification')
        .where('notification.organization_id', '=', organizationId)
        .where('notification.user_id', '=', userId)
        .where(({ or, eb }) =>
          or([eb('notification.project_id', 'is', null), eb('notification.project_id', 'in', ids)]),
        ),
    notificationSettingsOf: (userId: string) =>
      db
        .selectFrom('notification_setting')
        .where('notification_setting.organization_id', '=', organizationId)
        .where('notification_setting.user_id', '=', userId),
    authTokens: () => db.selectFrom('auth_token').where('auth_token.organization_id', '=', organizationId),
  }
}
