/** The tables of channels: where alerts go, what waits to be delivered, and every attempt. */
import type { Generated } from 'kysely'

type ChannelState = 'active' | 'failing' | 'disabled'
type OutboxState = 'queued' | 'sent' | 'dead'
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
