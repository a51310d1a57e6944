/** The tables of alerts and of the job queue. Structured values are JSON text, which `domain/alerts` defines. */
import type { Generated } from 'kysely'

type Flag = 0 | 1

export type AlertSchema = {
  /** Background work, once or on a schedule: job-queue.ts. */
  job: {
    id: Generated<number>
    name: string
    /** Unique: work that is queued already is not queued again. */
    key: string
    payload: string
    run_at: number
    /** Of a schedule: how long after a run the next one is due. Null for work that is done once. */
    every_ms: number | null
    attempts: Generated<number>
    state: Generated<'queued' | 'dead'>
    leased_by: Generated<string>
    leased_until: Generated<number>
    last_error: Generated<string>
    created_at: number
  }
  alert_rule: {
    id: Generated<number>
    organization_id: number
    /** Null for all projects of the organization. */
    project_id: number | null
    /** Its project and its name: unique in the organization. */
    key: string
    name: string
    /** A RuleConfig of domain/alerts. */
    config: string
    is_on: Flag
    /** Until then it sends nothing. */
    snoozed_until: number | null
    /** Who hears when one of its channels stops working. */
    owner_user_id: string | null
    created_by: string
    created_at: number
    updated_at: number
  }
  alert_rule_channel: { rule_id: number; channel_id: number }
  /** When a rule last sent a message of a type about an issue or incident. */
  alert_sent: { rule_id: number; subject_key: string; type: string; sent_at: number }
  /** How many messages a rule has sent on a day since 1970 (UTC), and when the last one. */
  alert_rule_day: { rule_id: number; day: number; messages: number; last_at: number }
  /** Messages of this target are collected until then. A target is `rule:<id>`, or `project:<id>` for notifications. */
  alert_burst: { target: string; until: number /** When that was decided. */; set_at: Generated<number> }
  /** Collected messages of a target. `message` is a StoredMessage of domain/alerts. */
  alert_held: { id: Generated<number>; target: string; message: string; held_at: number }
  /** Notifications that members see at the bell. `message` is a StoredMessage. */
  notification: {
    id: Generated<number>
    organization_id: number
    user_id: string
    project_id: number | null
    /** Equal for a repeated write. */
    key: string
    message: string
    at: number
    read_at: number | null
  }
  /** The notifications that a member chose. Without a row, the defaults of domain/alerts apply. */
  notification_setting: { user_id: string; organization_id: number; type: string; in_app: Flag; email: Flag }
  /** Detectors and their last results. The detector of a rule has the rule's metric. */
  detector: {
    id: Generated<number>
    organization_id: number
    project_id: number | null
    rule_id: number | null
    /** `rule:<id>`, or `operator:disk`. */
    key: string
    name: string
    state: Generated<DetectorState>
    /** Empty while it is not failing. */
    severity: Generated<IncidentSeverity | ''>
    since: number
    judged_at: number
    value: number | null
    /** A severity that has been found for `streak` minutes, but not for long enough yet; `ok` for none. */
    pending: Generated<string>
    streak: Generated<number>
    /** Whether the open incident is about missing data. */
    cause: Generated<'' | 'no-data'>
    /** Why the state is `unknown` or `no-data`. */
    gap: Generated<DetectorGap | ''>
    /** There has been no data since then. */
    no_data_since: number | null
    /** The limits that the value was compared with, as JSON; empty without limits. */
    limits: Generated<string>
  }
  incident: {
    id: Generated<number>
    organization_id: number
    project_id: number | null
    detector_id: number | null
    rule_id: number | null
    name: string
    /** The worst so far. */
    severity: IncidentSeverity
    opened_at: number
    closed_at: number | null
    peak: number | null
    reason: string
    /** The metric as it was when the incident opened, as JSON; empty for an operator's. */
    metric: string
    acknowledged_at: number | null
    /** `user:<id>`; empty until a member acknowledges it. */
    acknowledged_by: Generated<string>
    /** The member who closed it by hand, or `hydrant`. Empty while it is open, and if its detector closed it. */
    closed_by: Generated<string>
  }
  incident_update: {
    id: Generated<number>
    incident_id: number
    at: number
    kind: IncidentUpdateKind
    severity: IncidentSeverity
    value: number | null
    /** Of a comment: its text. */
    reason: string
    /** Who did it, as in the audit log; empty for a detector. */
    actor: Generated<string>
  }
  /** Up to when a node has digested all that it received. */
  node_clock: {
    inbox_id: string
    digested_until: number
    reported_at: number
    /** When it first reported. When no node accepted data is in `ingest_pause`. */
    blind_until: number
    /** It ended with nothing left to digest, and has not started since. */
    stopped_at: Generated<number | null>
  }
  /** When no node accepted data. */
  ingest_pause: { began_at: number; ended_at: number }
}

export type IncidentUpdateKind = 'opened' | 'worsened' | 'improved' | 'closed' | 'acknowledged' | 'comment'
/** `unknown`: not judged. `no-data`: judged, and there was nothing to judge. */
export type DetectorState = 'ok' | 'failing' | 'no-data' | 'unknown'
export type DetectorGap = 'down' | 'failed' | 'empty' | 'few-rows' | 'nothing-to-compare'
export type IncidentSeverity = 'warning' | 'critical'
