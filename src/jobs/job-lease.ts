/** A lease decides which node runs a job that must run on one node only. */
import type { Kysely } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'

export type Lease = { name: string; holder: string }

/** A lease expires after this time unless it is renewed or its job sets another: so long does a job rest after its process was killed. */
const usualLeaseMs = 60_000
const renewEveryMs = 15_000

/** Takes or renews the lease. In a transaction this also ensures that no other node has taken it since. */
export async function holdLease(
  db: Kysely<ControlSchema>,
  { name, holder }: Lease,
  nowMs: number,
  leaseMs = usualLeaseMs,
): Promise<boolean> {
  const values = { holder, held_until: nowMs + leaseMs }
  const result = await db
    .insertInto('job_lease')
    .values({ name, ...values })
    .onConflict(conflict =>
      conflict
        .column('name')
        .doUpdateSet(values)
        .where(({ or, eb }) =>
          or([
            eb('job_lease.holder', '=', holder),
            eb('job_lease.held_until', '<=', nowMs),
            // Taken while the clock was ahead; it has been set back since.
            eb('job_lease.held_until', '>', nowMs + 2 * leaseMs),
          ]),
        ),
    )
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function endLease(db: Kysely<ControlSchema>, { name, holder }: Lease): Promise<void> {
  await db.deleteFrom('job_lease').where('name', '=', name).where('holder', '=', holder).execute()
}

/** Renews a lease that is held until the returned function ends it. */
export function keepLease(db: Kysely<ControlSchema>, lease: Lease, now: () => number): () => Promise<void> {
  const timer = setInterval(() => void holdLease(db, lease, now()).catch(() => undefined), renewEveryMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await endLease(db, lease)
  }
}
