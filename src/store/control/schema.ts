/**
 * The control database as Kysely sees it, in the subset that SQLite and PostgreSQL share: ids are numbers below 2^53,
 * times are milliseconds since 1970, flags are 0 or 1, structured values are JSON text.
 * The four auth tables belong to better-auth and keep its column types.
 */
import type { Generated } from 'kysely'

export type MemberRole = 'owner' | 'admin' | 'member' | 'viewer'
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
  /** Null as long as nobody was named. */
  user_sketch: Uint8Array | null
}

export type ControlSchema = {
  organization: { id: Generated<number>; slug: string; name: string; created_at: number }
  team: { id: Generated<number>; organization_id: number; slug: string; name: string; created_at: number }
  team_member: { team_id: number; user_id: string }
  member: { organization_id: number; user_id: string; role: MemberRole; created_at: number }
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
  }
  project_key: {
    id: Generated<number>
    project_id: number
    public_key: string
    label: string
    is_active: Flag
    events_per_minute: number
    created_at: number
  }
  auth_token: {
    id: Generated<number>
    organization_id: number
    name: string
    token_hash: string
    token_hint: string
    scopes: string
    created_by: string | null
    created_at: number
    last_used_at: number | null
    revoked_at: number | null
    nonce: Generated<string>
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
    /** How it was resolved, or until when it is archived: status-detail.ts. */
    status_detail: Generated<string>
    status_at: Generated<number>
    substatus: Generated<IssueSubstatus>
    /** 0 until the first batch has looked at the issue. */
    substatus_at: Generated<number>
    /** Empty, `user:<id>` or `team:<id>`. */
    assignee: Generated<string>
    priority: Generated<IssuePriority>
    is_unhandled: Generated<Flag>
    /** Where its first event happened: react/side.ts. Empty for issues from before it was noted. */
    side: Generated<string>
    /** Events in the hour in which it began to escalate, as a multiple of what was usual. */
    times_usual: Generated<number>
    created_at: number
  }
  /** What happened to an issue, by whom. `undo` holds what it was before, until the change is undone or too old to be. */
  issue_activity: {
    id: Generated<number>
    issue_id: number
    project_id: number
    at: number
    actor: string
    kind: string
    detail: string
    /** The same for all issues that one command changed. */
    change_id: Generated<string>
    undo: Generated<string>
  }
  issue_seen: { user_id: string; issue_id: number; seen_at: number }
  /** Events of these kinds are not kept. */
  discarded_hash: {
    project_id: number
    group_version: number
    group_hash: string
    title: string
    at: number
    actor: string
    change_id: string
  }
  /** What a project does with a kind of noise since a moment. The newest choice before an event was received counts for it. */
  project_filter: {
    project_id: number
    rule: string
    since: number
    mode: 'on' | 'off' | 'sample'
    keep_one_in: number
    actor: string
  }
  /** The newest events that a filter dropped. */
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
  /** Browser errors that only the server can explain, until its event is known or time is up. `event` is a HeldEvent of digest. */
  held_event: { inbox_id: string; event_id: string; project_id: number; held_until: number; event: string }
  /** What was decided for a batch from more than its records, until it is committed: digest/link/batch-plan.ts. */
  batch_plan: { inbox_id: string; batch: number; plan: string }
  /** The group that an error of the server with this digest went to. `target` is a JoinTarget of digest. */
  error_digest: { project_id: number; digest: string; target: string; seen_at: number }
  /**
   * Users of server errors that only an address names. They are counted when they are due, unless a browser reports the same
   * failure first and names its user: digest/link/deferred-users.ts.
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
  /** A group of browsers' errors, and the server's in another project of the organization that it stands for. */
  linked_group: {
    project_id: number
    group_version: number
    group_hash: string
    server_project_id: number
    server_hash: string
  }
  /** What digest remembers of a trace for some minutes: `memory` is a TraceMemory of the lens, `trace` its traceKey. */
  trace_memory: { inbox_id: string; trace: string; memory: string; seen_at: number }
  /** The hash rows of deleted issues, as long as that can be undone. */
  deleted_hash: { change_id: string; deleted_at: number; home_issue_id: number | null } & IssueHash
  /** The releases of a project by the time that anything of them came first. */
  project_release: { project_id: number; version: string; first_seen: number }
  /** A release that a tool, a deploy or a person named. One that only events named is in `project_release` alone. */
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
    /** All files of the commit, also those that `release_commit_file` has no room for. */
    file_count: number
  }
  /** The files that a commit added, modified or deleted, by its position in the release. */
  release_commit_file: { release_id: number; position: number; path: string; type: 'A' | 'M' | 'D' }
  /** An uploaded archive of sources and source maps, as it was sent: the bytes are in blobs. */
  artifact_bundle: {
    id: Generated<number>
    organization_id: number
    /** SHA-1 of the whole file, which is how tools name it. */
    checksum: string
    blob_key: string
    size_bytes: number
    file_count: number
    uploaded_at: number
    /** When an event last needed a file of it; null while none has. Written at most once an hour. */
    last_used_at: number | null
  }
  artifact_bundle_project: { bundle_id: number; project_id: number }
  artifact_bundle_release: { bundle_id: number; release: string; dist: string }
  artifact_file: {
    bundle_id: number
    /** Inside the archive. */
    path: string
    /** `~/static/app.js`, an absolute address, or empty. */
    url: string
    kind: ArtifactKind
    /** Lower case with dashes; empty where there is none. */
    debug_id: string
    /** The map that the manifest names for this file: a path relative to its url, or empty. */
    source_map_ref: string
    /** Unpacked. */
    size_bytes: number
  }
  /** Parts of uploads that wait to be put together. */
  upload_chunk: { organization_id: number; sha1: string; size_bytes: number; blob_key: string; at: number }
  /** The last try to put each upload together. `step` and `detail` say where and why it failed. */
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
  /** Events and users of a hash by hour since 1970, for eight days: what a day's list shows, and escalation is measured against. */
  hash_hour: HashPeriod & { hour: number }
  /** The same by day since 1970 (UTC), for as long as a list looks back. */
  hash_day: HashPeriod & { day: number }
  /** Counters live here, never on the issue: an issue is the sum of its hashes, so merge and unmerge move rows. */
  issue_hash: IssueHash & {
    /** The issue that a merge took it from; null while it is at home. */
    home_issue_id: Generated<number | null>
  }
  /** Hashes that were made of minified frames, by the maps that would have helped: one sample of each is looked at again when they come. */
  unmapped_hash: {
    project_id: number
    group_version: number
    group_hash: string
    /** Empty where the event had none; then release and dist say which maps. */
    debug_id: string
    release: string
    dist: string
    event_id: string
    seen_at: number
    /** The newest bundle that was tried in vain. */
    tried_bundle_id: Generated<number>
  }
  monitor: {
    id: Generated<number>
    project_id: number
    slug: string
    config: string
    created_at: number
  }
  /** How a monitor fares in one environment: its last check-in there. */
  monitor_environment: {
    monitor_id: number
    environment: string
    last_status: string
    last_check_in_at: number
    /** Empty where the last one had no id of its own. */
    last_check_in_id: string
  }
  /** Event ids of the last day, so that a repeated delivery is counted once. */
  seen_event: { project_id: number; event_id: string; seen_at: number }
  /** How far a node's inbox has been digested: written in the same transaction as the counters. */
  inbox_cursor: { inbox_id: string; batch: number; segment: number; position: number; updated_at: number }
  /** The days (since 1970, UTC) whose counters were compared with telemetry, and what was repaired: JSON. */
  reconciled_day: { day: number; checked_at: number; differences: number; detail: string }
  /** Work that one node does for all. */
  job_lease: { name: string; holder: string; held_until: number }
  /** What periodic work remembers from one run to the next. */
  maintenance_state: { name: string; value: number }
  /** What live views watch: moved by each batch that brought something for the project. */
  project_stats: {
    project_id: number
    item_count: number
    event_count: number
    last_event_id: string
    last_issue_id: number
    updated_at: number
  }
  audit: {
    id: Generated<number>
    organization_id: number | null
    actor: string
    action: string
    target: string
    detail: string
    at: number
  }
  setting: { name: string; value: string }
  user: {
    id: string
    name: string
    email: string
    emailVerified: unknown
    image: string | null
    createdAt: unknown
    updatedAt: unknown
  }
  session: {
    id: string
    userId: string
    token: string
    expiresAt: unknown
    ipAddress: string | null
    userAgent: string | null
    createdAt: unknown
    updatedAt: unknown
  }
  account: {
    id: string
    accountId: string
    providerId: string
    userId: string
    password: string | null
    accessToken: string | null
    refreshToken: string | null
    idToken: string | null
    accessTokenExpiresAt: unknown
    refreshTokenExpiresAt: unknown
    scope: string | null
    createdAt: unknown
    updatedAt: unknown
  }
  verification: {
    id: string
    identifier: string
    value: string
    expiresAt: unknown
    createdAt: unknown
    updatedAt: unknown
  }
}
