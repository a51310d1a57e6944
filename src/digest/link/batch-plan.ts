/**
 * Everything about a batch that depends on more than its own records: on other batches and on the clock. The plan is stored before
 * the first row of the batch is written, so a repeat after a crash does the same. Its keys are stored JSON and keep their names.
 */
import { z } from 'zod'

/** The group of a server error, and the title and culprit of its issue. */
const linkTarget = z.object({
  version: z.number(),
  hash: z.string(),
  title: z.string(),
  culprit: z.string(),
  /** Set when the server error is in another project: its real group. `hash` is then derived from it. */
  abroad: z.object({ projectId: z.number(), hash: z.string() }).optional(),
})

/** The server's event of the same failure: the one that counts. */
const linkedEvent = z.object({
  eventId: z.string(),
  userHash: z.string(),
  isUserInferred: z.boolean(),
  route: z.string(),
})

const batchPlan = z.object({
  /** The time when the plan was made. */
  at: z.number(),
  /** Where the batch ended. A batch that was cut since needs another plan. */
  end: z.number(),
  /** The segment of that end. An older version did not write it: batches ended in the segment where they began. */
  endSegment: z.number().optional(),
  /** Ids of events that are held for their server error. */
  held: z.array(z.string()),
  /** Ids of held events that become part of this batch. */
  released: z.array(z.string()),
  /** The server group of browser errors, by event id. */
  joined: z.record(z.string(), linkTarget),
  /** The server event that reports the same failure in the same project, by event id. A subset of `joined`. */
  linked: z.record(z.string(), linkedEvent).default({}),
  /** How many events each group of deploy skew had before this batch, by hashKey. */
  seen: z.record(z.string(), z.number()),
  /** Events that were delivered before, as `project:id`. An older version did not write them. */
  repeated: z.array(z.string()).optional(),
  /** The release whose files a server was asked for, by event id. An older version did not write it. */
  builds: z.record(z.string(), z.string()).optional(),
  /** Discarded groups of this batch, by hashKey. An older version did not write them. */
  discarded: z.array(z.string()).optional(),
})

export type LinkTarget = z.output<typeof linkTarget>
export type LinkedEvent = z.output<typeof linkedEvent>
export type BatchPlan = z.output<typeof batchPlan>

export const emptyPlan: BatchPlan = { at: 0, end: 0, held: [], released: [], joined: {}, linked: {}, seen: {} }

export const readPlan = (text: string): BatchPlan => batchPlan.parse(JSON.parse(text))
export const readTarget = (text: string): LinkTarget => linkTarget.parse(JSON.parse(text))

/** Whether the plan leaves the events of its batch as they are. */
export const isNoop = ({ held, released, joined, seen }: BatchPlan): boolean =>
  held.length + released.length + Object.keys(joined).length + Object.keys(seen).length === 0
