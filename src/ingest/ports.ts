/** What the door needs from the rest of the house. main.ts gives the real things, tests give honest ones in memory. */
import type { InboxRecord } from '#inbox/record.ts'
import type { SpooledBody } from '#inbox/spool.ts'
import type { Outcome } from '#lib/outcome.ts'
import { itemRule, type ScannedItem } from '#protocol/item-types.ts'

export type KeyState = {
  keyId: number
  projectId: number
  isActive: boolean
  /** 0: the key has no limit of its own, the server's default applies. */
  eventsPerMinute: number
  /** Of the built-in project that Hydrant's own pages report to. */
  isInternal: boolean
}

/** Answers from memory: no acknowledgement may wait for a query. */
export type KeyCache = {
  /** Null when the key is unknown or belongs to another project; disabled keys are found, with `isActive: false`. */
  find(projectId: number, publicKey: string): KeyState | null
  /** For `/api/store/`, where the key alone names the project. */
  findByKey(publicKey: string): KeyState | null
  /** Lets a refusal with a wrong key still be counted where its owner will look for it. */
  hasProject(projectId: number): boolean
  /** Whether there are new ones, asked now and then at most: a stranger's requests must not become queries. Never rejects. */
  lookAgain(): Promise<void>
  /** True while the database could not be read: a key that nobody knows may well be valid. */
  isStale?(): boolean
}

export type SpoolWriter = {
  name: string
  /** Resolves when the next chunk may be written; rejects when the disk refuses. */
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
  /** True when the inbox is over its bound or the disk nearly full: asked before anything is written. */
  isFull(): boolean
}

/** Adds up in memory; whoever implements it also feeds `hydrant_outcomes_total`. */
export type OutcomePort = { count(outcome: Outcome): void }

type IngestMetrics = { acknowledged: { inc(): void } }

export type IngestLog = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export type Clock = { now(): number }

export type IngestConfig = {
  /** HYDRANT_URL: its host is one of those a tunnelled DSN may name. */
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
  /** How long a body may take, in milliseconds; tests shorten it. */
  timeouts?: { idleMs: number; totalMs: number }
}

/** How much of each rate-limit category an envelope holds; a container counts what it says it holds. */
export function countByCategory(items: ScannedItem[]): Map<string, number> {
  const quantities = new Map<string, number>()
  for (const item of items) {
    const { category } = itemRule(item.type)
    quantities.set(category, (quantities.get(category) ?? 0) + quantityOf(item))
  }
  return quantities
}

/** The figure is the sender's word for it: bounded, so that one header cannot forge a million losses. */
const maxClaimedCount = 100_000

function quantityOf({ isContainer, itemCount }: ScannedItem): number {
  return isContainer && itemCount !== null ? Math.min(Math.max(itemCount, 1), maxClaimedCount) : 1
}
