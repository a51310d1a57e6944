/** Rewrites stored rows whose route digest learned later, on one node at a time. Sums are moved by digest itself. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Control } from '#store/control/control.ts'
import { moveEvents, moveSpans } from '#store/telemetry/move-routes.ts'
import type { TableLayout } from '#store/telemetry/table-layout.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { endLease, holdLease, type Lease } from './job-lease.ts'
import { type PollLoop, startPollLoop } from './poll-loop.ts'

type Stores = { control: Control; telemetry: Telemetry; layout: TableLayout }

const pollMs = 15_000
const retryMs = 60_000
/** Longer than the engine may take for one statement. */
const leaseMs = 6 * 60_000
/** At most this share of the time is spent on rewriting: the more rows there are, the more of them in one statement. */
const maxShare = 1 / 20
/** Of one statement: the text of each route is in it. */
const maxChars = 100_000
const maxMoves = 800

export function startRouteMoves({ log, ...stores }: Stores & { log: Pick<Logger, 'warn'> }): PollLoop {
  const lease: Lease = { name: 'route_moves', holder: randomUUID() }
  let isStopping = false
  let isHeld = false
  let restUntil = 0
  const hold = async (): Promise<boolean> => {
    isHeld = !isStopping && (await holdLease(stores.control.db, lease, Date.now(), leaseMs))
    return isHeld
  }
  const loop = startPollLoop({
    pollMs,
    retryMs,
    run: async () => {
      if (performance.now() < restUntil || !(await hasMoves(stores.control)) || !(await hold())) return
      const began = performance.now()
      await moveRoutes(stores, hold)
      restUntil = performance.now() + (performance.now() - began) / maxShare
    },
    onError: error => log.warn({ error: String(error) }, 'routes of stored rows could not be corrected; trying again'),
  })
  return {
    wake: loop.wake,
    stop: async () => {
      isStopping = true
      await loop.stop()
      if (isHeld) await endLease(stores.control.db, lease)
    },
  }
}

const hasMoves = async ({ db }: Control): Promise<boolean> =>
  (await db.selectFrom('route_move').select('kind').limit(1).executeTakeFirst()) !== undefined

/** All that are there when it begins, and what comes meanwhile; a kill between two steps only repeats one. */
export async function moveRoutes(
  { control, ...store }: Stores,
  mayGoOn: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  for (const kind of ['event', 'span'] as const)
    while (await mayGoOn()) {
      const moves = cut(
        await control.db
          .selectFrom('route_move')
          .selectAll()
          .where('kind', '=', kind)
          .orderBy('project_id')
          .orderBy('trace_id')
          .orderBy('id')
          .limit(maxMoves)
          .execute(),
      )
      if (moves.length === 0) break
      await (kind === 'event' ? moveEvents : moveSpans)(store, moves)
      // Those that have moved on since stay.
      await control.db.transaction().execute(async trx => {
        for (const { project_id, trace_id, id, route } of moves)
          await trx
            .deleteFrom('route_move')
            .where('project_id', '=', project_id)
            .where('trace_id', '=', trace_id)
            .where('kind', '=', kind)
            .where('id', '=', id)
            .where('route', '=', route)
            .execute()
      })
    }
}

function cut<Each extends { route: string }>(moves: readonly Each[]): Each[] {
  let chars = 0
  return moves.filter(({ route }, at) => (chars += Buffer.byteLength(route) * 4 + 100) <= maxChars || at === 0)
}
