/**
 * What a batch does that depends on more than its own records: on what other batches brought, and on the clock. It is written down
 * before a row of the batch is, so a repeat after a crash does the same.
 */
import { z } from 'zod'

/** The group of the server's error, and what its issue is called. */
const joinTarget = z.object({
  version: z.number(),
  hash: z.string(),
  title: z.string(),
  culprit: z.string(),
  /** The server's own group, where it is in another project: `hash` only stands for it then. */
  abroad: z.object({ projectId: z.number(), hash: z.string() }).optional(),
})

/** The server's event of the same failure: it is the one that counts. */
const linkedEvent = z.object({
  eventId: z.string(),
  userHash: z.string(),
  isUserInferred: z.boolean(),
  route: z.string(),
})

const batchPlan = z.object({
  /** The clock when it was made. */
  at: z.number(),
  /** Where the seal ended: the plan of a batch that was cut anew is not this one's. */
  end: z.number(),
  /** The file of that end; an older version did not write it, because it was the one in which the batch began. */
  endSegment: z.number().optional(),
  /** Ids of events that wait for the server's. */
  held: z.array(z.string()),
  /** Ids of events that waited and go into this batch. */
  released: z.array(z.string()),
  /** Where events of this batch, or that waited, belong: by id. */
  joined: z.record(z.string(), joinTarget),
  /** Of the joined ones those that report a failure of the same project that the server has reported too: by id. */
  linked: z.record(z.string(), linkedEvent).default({}),
  /** How many events of a group of deploy skew came before this batch: by hashKey. */
  seen: z.record(z.string(), z.number()),
  /** Events that were delivered before, as `project:id`; an older version did not write them. */
  repeated: z.array(z.string()).optional(),
  /** Groups of this batch that nobody wants: by hashKey. An older version did not write them. */
  discarded: z.array(z.string()).optional(),
})

export type JoinTarget = z.output<typeof joinTarget>
export type LinkedEvent = z.output<typeof linkedEvent>
export type BatchPlan = z.output<typeof batchPlan>

export const emptyPlan: BatchPlan = { at: 0, end: 0, held: [], released: [], joined: {}, linked: {}, seen: {} }

export const readPlan = (text: string): BatchPlan => batchPlan.parse(JSON.parse(text))
export const readTarget = (text: string): JoinTarget => joinTarget.parse(JSON.parse(text))

/** Whether it changes nothing about the events of its batch. */
export const isPlain = ({ held, released, joined, seen }: BatchPlan): boolean =>
  held.length + released.length + Object.keys(joined).length + Object.keys(seen).length === 0
