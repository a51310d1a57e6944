/** The tables of channels: where alerts go, what waits to be delivered, and every attempt. */
import type { Generated } from 'kysely'

type ChannelState = 'active' | 'failing' | 'disabled'
type OutboxState = 'queued' | 'sent' | 'dead'
export type PageSubjectKind = 'issue' | 'incident' | 'channel' | 'message'
type DeliveryOutcome = 'sent' | 'retry' | 'rejected' | 'gone' | 'skipped'

export type ChannelSchema = {
  /** Where alerts go. `config` is the part of its settings that may be shown, `secret` the other part, encrypted. */
  channel: {
    id: Generated<number>
    organization_id: number
    /** Null: for all projects of the organization. */
    project_id: number | null
    name: string
    kind: string
    config: string
    secret: Generated<string>
    state: Generated<ChannelState>
    state_at: number
    disabled_reason: Generated<string>
    /** Failed attempts since the last success. */
    failures: Generated<number>
    /** Nothing is sent before: the channel rests after a failure, or is tried once a day after its server said that it is gone. 0: no rest. */
    retry_at: Generated<number>
    /** Since when its server says that it is gone, with nothing else in between. */
    gone_at: Generated<number | null>
    owner_user_id: string | null
    created_at: number
    /** Set on a hidden copy of a channel that was deleted or got other settings. It is kept until it has closed its pages. */
    retired_at: number | null
  }
  /** Messages to deliver, written in the transaction that decides to send them. */
  outbox: {
    /** UUIDv7: the receiver sees it, and it is the same in every attempt. */
    id: string
    organization_id: number
    channel_id: number
    key: string
    /** Messages of one subject to one channel are sent in order. Empty: in any order. */
    subject: Generated<string>
    /** JSON: ids and the frozen reason, from which the message is built at send time. */
    message: string
    /** JSON list of `user:<id>`, `team:<id>` and addresses, instead of those of an email channel. */
    recipients: Generated<string>
    /** JSON list of the addresses that an earlier attempt has reached. */
    reached: Generated<string>
    not_before: number
    /** Those after which the server asked for a pause don't count. */
    attempts: Generated<number>
    /** The message is given up 33 hours later. */
    first_attempt_at: Generated<number | null>
    state: Generated<OutboxState>
    leased_by: Generated<string>
    leased_until: Generated<number>
    last_error: Generated<string>
    /** The summary that stands for it, because the channel had its fill. */
    summary_id: string | null
    created_at: number
    sent_at: number | null
    /** The page that it opens, changes or closes at a pager. */
    page_id: string | null
    /** 1: it is never part of a summary, and a channel at its limit has room for it. */
    urgent: Generated<0 | 1>
  }
  /** An alert at a pager. It is closed when all of its subjects have ended. */
  page: {
    /** A UUID: no other page ever has the same. */
    id: string
    organization_id: number
    channel_id: number
    /** Its dedup key at the pager. */
    key: string
    /** Later messages about this subject belong to it too: `issue/42`. */
    subject: string
    /** Of the last message that was sent. */
    title: Generated<string>
    opened_at: number
    /** When the last message about it was queued. */
    told_at: number
    /** When the first attempt to open it began: only since then can it be open at the pager. */
    attempted_at: number | null
    ended_at: number | null
    /** Why it ended, in words. */
    reason: Generated<string>
  }
  /** A subject of a page, and the rule that pages because of it: `issue` 42, `incident` 7, `channel` 3. */
  page_subject: {
    page_id: string
    kind: PageSubjectKind
    ref: number
    /** 0 for messages of no rule. */
    rule_id: number
    /** When the rule was last known to cover it. */
    checked_at: number
    ended_at: number | null
  }
  /** Attempts to deliver. Those of a test have no outbox row. */
  delivery: {
    id: Generated<number>
    outbox_id: string | null
    channel_id: number
    at: number
    title: string
    attempt: number
    /** Of HTTP or SMTP; null if there was no response. */
    status: number | null
    latency_ms: number
    response: string
    outcome: DeliveryOutcome
  }
  /** Keys of encrypted secrets, wrapped by one that derives from the installation secret (encrypted-secret.ts). */
  secret_key: { id: string; wrapped: string; created_at: number }
  mail_opt_out: { channel_id: number; email: string; at: number }
}
