/** The tables about personal data, as Kysely sees them. */
import type { Generated } from 'kysely'

export type PrivacySchema = {
  /**
   * Own scrubbing rules, of all projects of an organization if `project_id` is null. A record is scrubbed by the rules that were in force
   * when it was received, so a row only ever gets its end, some seconds ahead.
   */
  scrub_rule: {
    id: Generated<number>
    organization_id: number
    project_id: number | null
    /** `addresses`: store no IP addresses. Then the other fields are empty. */
    kind: 'field' | 'addresses'
    path: string
    pattern: string
    action: 'replace' | 'hash' | 'remove'
    since: number
    until: number | null
    actor: string
  }
  /** Deletions of all data of one user (domain/privacy/erasures.ts). */
  user_erasure: {
    id: string
    organization_id: number
    /** As JSON: the values while the deletion runs, then their keyed hashes. */
    identifiers: string
    state: 'queued' | 'running' | 'done'
    /** Rows and files by store, as JSON. */
    progress: string
    requested_at: number
    requested_by: string
    /** Everything that was received before is deleted. */
    covers_until: number | null
    finished_at: number | null
    last_error: string
  }
}
