/** The interfaces that ingest needs from other parts. The supervisor passes the real ones; tests pass in-memory implementations. */
import type { InboxRecord } from '#inbox/record.ts'
import type { SpooledBody } from '#inbox/spool.ts'
import type { Outcome } from '#lib/outcome.ts'
import { itemRule, type ScannedItem } from '#protocol/item-types.ts'
import type { SpikeGuard } from './spike-guard.ts'

export type KeyState = {
  keyId: number
  projectId: number
  isActive: boolean
  /** 0: the server's default applies. */
  eventsPerMinute: number
  /** The key belongs to the built-in project for errors of Hydrant itself. */
  isInternal: boolean
  /** Its project is deleted and waits to be purged. */
  isDeleted: boolean
}

/** The valid DSN keys in memory: no request of a known key waits for a query. */
export type KeyCache = {
  /** Null when the key is unknown or belongs to another project; disabled keys are found, with `isActive: false`. */
  find(projectId: number, publicKey: string): KeyState | null
  /** For `/api/store/`, where the key alone names the project. */
  findByKey(publicKey: string): KeyState | null
  /** So that refusals of a wrong key can be counted for the project. */
  hasProject(projectId: number): boolean
  /** Reads new keys. Throttled, however many unknown keys arrive. Never rejects. */
  refresh(): Promise<void>
  /** True while the database cannot be read: an unknown key may be valid. */
  isStale?(): boolean
}

export type SpoolWriter = {
  name: string
  /** Resolves when the next chunk may be written; rejects when the write fails. */
  write(chunk: Buffer): Promise<void>
  /** Resolves after fsync. */
  finish(): Promise<SpooledBody>
  /** Removes the file, also after `finish` when its record could not be appended. */
  discard(): Promise<void>
}

export type InboxPort = {
  /** Resolves when the record would survive a power cut; rejects when it would not. */
  append(record: InboxRecord): Promise<void>
  spool(): Promise<SpoolWriter>
  /** True when the inbox is over its limit or the disk is nearly full. Checked before anything is written. */
  isFull(): boolean
}

/** Sums in memory. The implementation also feeds `hydrant_outcomes_total`. */
export type OutcomePort = { count(outcome: Outcome): void }

type IngestMetrics = { acknowledged: { inc(): void } }

export type IngestLog = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export type Clock = { now(): number }

export type IngestConfig = {
  /** HYDRANT_URL: a DSN in the tunnel may have its host. */
  publicUrl: string
  trustedProxies: string[]
  limits: { keyEventsPerMinute: number; projectEventsPerMinute: number }
}

export type IngestOptions = {
  keyCache: KeyCache
  inbox: InboxPort
  outcomes: OutcomePort
  metrics: IngestMetrics
  log: IngestLog
  clock: Clock
  config: IngestConfig
  /** With which a log drain signs what it sends with a key. */
  drainSecret?(keyId: number): string
  /** For keys without a limit. Without it, nothing limits them. */
  spikes?: SpikeGuard | null
  /** How long a body may take; tests shorten it. */
  timeouts?: { idleMs: number; totalMs: number }
}

/** Quantities by rate-limit category. A container counts as many items as its header claims. */
export function countByCategory(items: ScannedItem[]): Map<string, number> {
  const quantities = new Map<string, number>()
  for (const item of items) {
    const { category } = itemRule(item.type)
    quantities.set(category, (quantities.get(category) ?? 0) + quantityOf(item))
  }
  return quantities
}

/** The count is a claim of the sender, so it is limited: one header must not forge a million lost items. */
const maxClaimedCount = 100_000

function quantityOf({ isContainer, itemCount }: ScannedItem): number {
  return isContainer && itemCount !== null ? Math.min(Math.max(itemCount, 1), maxClaimedCount) : 1
}
