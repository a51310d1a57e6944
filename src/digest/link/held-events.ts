/** Browser errors that wait for their server error. They are held in the control database: accepted data is never only in memory. */
import type { Transaction } from 'kysely'
import { z } from 'zod'
import type { GroupedEvent, HeldEvent } from '#domain/issues/counters/grouped-event.ts'
import { sides } from '#react/side.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { rowSchema } from '#store/telemetry/parse-row.ts'

/** Server SDKs send errors at once; a minute also covers one that waits for its request to end. */
export const holdMs = 60_000
/** Per node. Further events are not held: in an outage they would fill the table. */
export const maxHeldEvents = 500

export type StoredHeldEvent = HeldEvent & { heldUntil: number }

export async function listHeldEvents(control: Control, inboxId: string): Promise<StoredHeldEvent[]> {
  const rows = await control.db
    .selectFrom('held_event')
    .select(['event', 'held_until'])
    .where('inbox_id', '=', inboxId)
    .orderBy('held_until')
    .orderBy('event_id')
    .limit(maxHeldEvents)
    .execute()
  return rows.map(({ event, held_until }) => ({ ...readHeldEvent(event), heldUntil: held_until }))
}

const groupedEvent: z.ZodType<GroupedEvent> = z.object({
  projectId: z.number(),
  groupVersion: z.number(),
  groupHash: z.string(),
  groupFallbacks: z.array(z.object({ version: z.number(), hash: z.string() })),
  eventId: z.string(),
  timestamp: z.number(),
  title: z.string(),
  culprit: z.string(),
  kind: z.string(),
  level: z.string(),
  side: z.enum(sides),
  release: z.string(),
  userHash: z.string(),
  weight: z.number(),
  noise: z.array(z.string()),
  isSkew: z.boolean(),
  isMissingFile: z.boolean().optional(),
  serverError: z.object({ digest: z.string(), isEcho: z.boolean().optional() }).nullable(),
})
const heldEvent: z.ZodType<HeldEvent> = z.object({ row: rowSchema('events'), grouped: groupedEvent })

/** Version 0.1 had no replaced users and used other names. */
const olderEvent = z
  .object({
    row: z.looseObject({ replaced_user_hash: z.string().default('0') }),
    sighting: z.looseObject({ place: z.unknown(), echo: z.unknown() }),
  })
  .transform(({ row, sighting: { place, echo, ...rest } }) => ({
    row,
    grouped: { ...rest, side: place, serverError: echo },
  }))

/** Reads both versions here instead of migrating by SQL: PostgreSQL's jsonb cannot hold U+0000, which events may contain. */
export function readHeldEvent(text: string): HeldEvent {
  const stored: unknown = JSON.parse(text)
  const older = olderEvent.safeParse(stored)
  return heldEvent.parse(older.success ? older.data : stored)
}

/** Stores the events that a batch holds, and deletes those that it released. */
export async function updateHeldEvents(
  trx: Transaction<ControlSchema>,
  inboxId: string,
  held: readonly HeldEvent[],
  { released, at }: { released: readonly string[]; at: number },
): Promise<void> {
  for (const event of held)
    await trx
      .insertInto('held_event')
      .values({
        inbox_id: inboxId,
        event_id: event.row.event_id,
        project_id: event.row.project_id,
        held_until: at + holdMs,
        event: JSON.stringify(event),
      })
      .onConflict(conflict => conflict.doNothing())
      .execute()
  if (released.length > 0)
    await trx.deleteFrom('held_event').where('inbox_id', '=', inboxId).where('event_id', 'in', released).execute()
}
