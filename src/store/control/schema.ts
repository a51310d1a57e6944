/**
 * The control database as Kysely sees it, in the subset that SQLite and PostgreSQL share: ids are numbers below 2^53,
 * times are milliseconds since 1970, flags are 0 or 1, structured values are JSON text.
 */
import type { Generated } from 'kysely'
import type { AccountSchema } from './account-schema.ts'
import type { AlertSchema } from './alert-schema.ts'
import type { AuthSchema } from './auth-schema.ts'
import type { ChannelSchema } from './channel-schema.ts'
import type { PrivacySchema } from './privacy-schema.ts'
import type { ViewSchema } from './view-schema.ts'

export type { MemberRole } from './account-schema.ts'

type Flag = 0 | 1

export type IssueStatus = 'unresolved' | 'resolved' | 'archived'
export type IssueSubstatus = 'new' | 'ongoing' | 'regressed' | 'escalating'
export type IssuePriority = 'high' | 'medium' | 'low'

type IssueHash = {
  project_id: number
  group_version: number
  group_hash: string
  issue_id: number
  event_count: number
  first_seen: number
  last_seen: number
  first_release: string
  last_release: string
  last_event_id: string
  user_sketch: Uint8Array
  user_count: number
}

type ArtifactKind = 'minified_source' | 'source_map' | 'source' | 'other'
export type UploadState = 'assembling' | 'ok' | 'error'

type HashPeriod = {
  project_id: number
  group_version: number
  group_hash: string
  event_count: number
  /** Null until an event names a user. */
  user_sketch: Uint8Array | null
}

type Parts = AuthSchema & AccountSchema & AlertSchema & ChannelSchema & PrivacySchema & ViewSchema

export type ControlSchema = Parts & {
  project: {
    id: Generated<number>
    organization_id: number
    slug: string
    name: string
    platform: string
    is_internal: Flag
    last_issue_number: number
    first_event_at: number | null
    created_at: number
    /** A deleted project is hidden from all members and purged after the grace period. */
    deleted_at: Generated<number | null>
    /** Then only owners, admins and the teams in `project_access` see it. */
    is_private: Generated<Flag>
  }
  /** Slugs that a project had, whose addresses lead to it. */
  former_slug: { organization_id: number; slug: string; project_id: number; until: number }
  project_key: {
    id: Generated<number>
    project_id: number
    public_key: string
    label: string
    is_active: Flag
    events_per_minute: number
    created_at: number
  }
  issue: {
    id: Generated<number>
    project_id: number
    number: number
    title: string
    culprit: string
    kind: string
    level: string
    status: IssueStatus
    /** How it was resolved, or until when it is archived (status-detail.ts). */
    status_detail: Generated<string>
    /** The terms that queries filter by: `termColumns` in status-detail.ts. */
    waits_after: Generated<string | null>
    resolved_in: Generated<string | null>
    archived_until: Generated<number | null>
    status_at: Generated<number>
    substatus: Generated<IssueSubstatus>
    /** 0 until the first batch has set the substatus. */
    substatus_at: Generated<number>
    /** Empty, `user:<id>` or `team:<id>`. */
    assignee: Generated<string>
    priority: Generated<IssuePriority>
    is_unhandled: Generated<Flag>
    /** The side of its first event (react/side.ts). Empty for issues created before this column. */
    side: Generated<string>
    /** Events in the hour in which it began to escalate, as a multiple of the usual count. */
    times_usual: Generated<number>
    /** A score of its recent users and events, updated each minute (domain/issues/impact). */
    impact: Generated<number>
    created_at: number
  }
  /** How many issues a project got in a minute since 1970, for ten minutes. */
  new_issue_minute: { project_id: number; minute: number; is_fatal: Flag; quantity: number }
  /** Form submissions (submissions.ts). `result` is sealed, and only the browser can supply the key. */
  submission: { key: string; state: 'running' | 'done' | 'withdrawn'; result: string; created_at: number }
  /** Activity of an issue. `undo` contains the previous state until the change is undone or too old to undo. */
  issue_activity: {
    id: Generated<number>
    issue_id: number
    project_id: number
    at: number
    actor: string
    kind: string
    detail: string
    /** Of a regression: the release in which it was seen. */
    release: Generated<string | null>
    /** Equal for all issues that one command changed. */
    change_id: Generated<string>
    undo: Generated<string>
  }
  /** The log of changes to issues, appended in the transaction that makes the change: domain/issues/change-log. */
  issue_change: {
    id: Generated<number>
    /** The order for readers: null until one has seen the row committed. */
    position: number | null
    project_id: number
    issue_id: number
    kind: string
    at: number
    actor: string
    detail: string
  }
  /** How far a reader of the log has got. */
  change_cursor: { reader: string; position: number; moved_at: number }
  /** Tickets of other trackers that members have linked to an issue. */
  issue_ticket: {
    id: Generated<number>
    issue_id: number
    project_id: number
    url: string
    title: string
    actor: string
    at: number
  }
  /** Rows of `issue_activity`, while the deletion can be undone. */
  deleted_comment: {
    change_id: string
    deleted_at: number
    id: number
    issue_id: number
    project_id: number
    at: number
    actor: string
    detail: string
  }
  issue_seen: { user_id: string; issue_id: number; seen_at: number }
  /** The event that tells most about a hash, where to find it, and its trace (domain/events/event-rank.ts). */
  recommended_event: {
    project_id: number
    group_version: number
    group_hash: string
    rank: number
    at: number
    received_at: number
    event_id: string
    trace_id: string
    span_id: string
    environment: string
  }
  /** Inbound filters: matching events are not stored. */
  discarded_hash: {
    project_id: number
    group_version: number
    group_hash: string
    title: string
    at: number
    actor: string
    change_id: string
  }
  /** How a project handles a kind of noise, and since when. The newest choice before an event was received applies. */
  project_filter: {
    project_id: number
    rule: string
    since: number
    mode: 'on' | 'off' | 'sample'
    keep_one_in: number
    actor: string
  }
  /** The newest events of each filter. */
  filtered_example: {
    project_id: number
    rule: string
    event_id: string
    at: number
    title: string
    route: string
    release: string
    browser: string
  }
  /** Browser errors that wait for their linked server error, until it is known or they expire. `event` is a HeldEvent of digest. */
  held_event: { inbox_id: string; event_id: string; project_id: number; held_until: number; event: string }
  /** Decisions for a batch that depend on more than its records, until it is committed (digest/link/batch-plan.ts). */
  batch_plan: { inbox_id: string; batch: number; plan: string }
  /** The group of the server error with this digest. `target` is a JoinTarget of digest. */
  error_digest: { project_id: number; digest: string; target: string; seen_at: number }
  /**
   * Users of server errors that are only known by IP address. They are counted when they are due, unless a browser error of the same
   * failure identifies the user first (digest/link/deferred-users.ts).
   */
  deferred_user: {
    inbox_id: string
    event_id: string
    project_id: number
    group_version: number
    group_hash: string
    /** When the error happened. */
    seen_at: number
    user_hash: string
    due_at: number
  }
  /** A group of browser errors and its linked group of server errors in another project of the organization. */
  linked_group: {
    project_id: number
    group_version: number
    group_hash: string
    server_project_id: number
    server_hash: string
  }
  /** State that digest keeps per trace for some minutes: `memory` is a TraceMemory, `trace` its traceKey. */
  trace_memory: {
    inbox_id: string
    trace: string
    memory: string
    seen_at: number
    /** Set while something of the trace waits to learn its route. */
    waiting_project_id: number | null
  }
  /** The routes that the pages of a project have shown, as far as the items of one inbox tell. */
  known_route: { inbox_id: string; project_id: number; route: string; seen_at: number }
  /** Stored rows whose route became known later, until a job has rewritten them: spans by their id, events by theirs. `at` in milliseconds. */
  route_move: { kind: 'span' | 'event'; project_id: number; trace_id: string; id: string; at: number; route: string }
  /** The hash rows of deleted issues, while the deletion can be undone. */
  deleted_hash: { change_id: string; deleted_at: number; home_issue_id: number | null } & IssueHash
  /** What `hash_hour` and `hash_day` held of a deleted hash. */
  deleted_period: { change_id: string; unit: 'hour' | 'day'; period: number } & HashPeriod
  /** The releases of a project with the time at which each was first seen. */
  project_release: { project_id: number; version: string; first_seen: number }
  /** A release created by a tool, a deploy or a member. Releases known only from events are just in `project_release`. */
  release: {
    id: Generated<number>
    organization_id: number
    version: string
    created_at: number
    started_at: number | null
    released_at: number | null
    url: Generated<string>
    ref: Generated<string>
  }
  release_project: { release_id: number; project_id: number }
  deploy: {
    id: Generated<number>
    release_id: number
    environment: string
    name: string
    url: string
    started_at: number | null
    finished_at: number
  }
  /** Position 0 is the newest commit. */
  release_commit: {
    release_id: number
    position: number
    commit_id: string
    repository: string
    author_name: string
    author_email: string
    message: string
    committed_at: number
    /** The number of all files of the commit, including those not stored in `release_commit_file`. */
    file_count: number
  }
  /** The files that a commit added, modified or deleted, by its position in the release. */
  release_commit_file: { release_id: number; position: number; path: string; type: 'A' | 'M' | 'D' }
  /** An uploaded archive of sources and source maps; its bytes are a blob. */
  artifact_bundle: {
    id: Generated<number>
    organization_id: number
    /** SHA-1 of the whole file, by which tools refer to it. */
    checksum: string
    blob_key: string
    size_bytes: number
    file_count: number
    uploaded_at: number
    /** When an event last needed one of its files, or null. Updated at most once an hour. */
    last_used_at: number | null
  }
  artifact_bundle_project: { bundle_id: number; project_id: number }
  artifact_bundle_release: { bundle_id: number; release: string; dist: string }
  artifact_file: {
    bundle_id: number
    /** The path inside of the archive. */
    path: string
    /** `~/static/app.js`, an absolute URL, or empty. */
    url: string
    kind: ArtifactKind
    /** Lower case with dashes, or empty. */
    debug_id: string
    /** The map that the manifest names for this file: a path relative to its url, or empty. */
    source_map_ref: string
    /** The uncompressed size. */
    size_bytes: number
  }
  /** Chunks of uploads that are not assembled yet. */
  upload_chunk: { organization_id: number; sha1: string; size_bytes: number; blob_key: string; at: number }
  /** The last attempt to assemble each upload. `step` and `detail` say where and why it failed. */
  upload_attempt: {
    id: Generated<number>
    organization_id: number
    checksum: string
    state: UploadState
    step: string
    detail: string
    release: string
    dist: string
    /** JSON list of project ids. */
    projects: string
    at: number
  }
  /** Events and users of a hash per hour since 1970, for eight days: for lists of a day, and as the baseline of escalation. */
  hash_hour: HashPeriod & { hour: number }
  /** The same per day since 1970 (UTC), for the longest time range of a list. */
  hash_day: HashPeriod & { day: number }
  /** Counters are per hash, never on the issue: an issue is the sum of its hashes, so merge and unmerge only move rows. */
  issue_hash: IssueHash & {
    /** The issue that a merge took it from, or null. */
    home_issue_id: Generated<number | null>
  }
  /** Hashes of minified frames, with the artifact bundle that is missing. When it arrives, a sample event of each is symbolicated again. */
  unmapped_hash: {
    project_id: number
    group_version: number
    group_hash: string
    /** Empty if the event had none; then release and dist identify the maps. */
    debug_id: string
    release: string
    dist: string
    event_id: string
    seen_at: number
    /** The newest bundle that did not help. */
    tried_bundle_id: Generated<number>
  }
  monitor: {
    id: Generated<number>
    project_id: number
    slug: string
    config: string
    created_at: number
  }
  /** The last check-in of a monitor per environment. */
  monitor_environment: {
    monitor_id: number
    environment: string
    last_status: string
    last_check_in_at: number
    /** Empty if the last check-in had no id. */
    last_check_in_id: string
  }
  /** Event ids of the last day, so that an event sent twice is counted once. */
  seen_event: { project_id: number; event_id: string; seen_at: number }
  /** How far the inbox of a node is digested. Written in the same transaction as the counters. */
  inbox_cursor: { inbox_id: string; batch: number; segment: number; position: number; updated_at: number }
  /** Days (since 1970, UTC) whose counters were compared with telemetry, and the repairs as JSON. */
  reconciled_day: { day: number; checked_at: number; differences: number; detail: string }
  /** Leases of jobs that run on one node at a time. */
  job_lease: { name: string; holder: string; held_until: number }
  /** State of maintenance between runs. */
  maintenance_state: { name: string; value: number }
  /** Last arrival and counts of a project, which live views watch. Updated by each batch with data of the project. */
  project_stats: {
    project_id: number
    item_count: number
    event_count: number
    last_event_id: string
    last_issue_id: number
    updated_at: number
    /** Bits (domain/events/sent-kinds.ts). */
    sent_kinds: number
  }
  setting: { name: string; value: string }
}
