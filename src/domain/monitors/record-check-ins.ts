import type { Transaction } from 'kysely'
import { clipText } from '#lib/text.ts'
import type { ControlSchema } from '#store/control/schema.ts'

export type MonitorCheckIn = {
  projectId: number
  slug: string
  environment: string
  /** Empty where the SDK gave none. */
  checkInId: string
  status: string
  at: number
  config: string | null
}

/** Chars. Sentry's SDKs allow no longer ones. */
const maxEnvironmentChars = 64

/**
 * How scheduled jobs fare, in each environment by itself: a job that dies in production must not look alive because staging runs it.
 * An SDK sends a job's beginning and its end without waiting in between, so the beginning may come last: it then still brings the
 * schedule, and nothing that was not known better.
 */
export async function recordCheckIns(trx: Transaction<ControlSchema>, groupedEvents: MonitorCheckIn[]): Promise<void> {
  for (const grouped of groupedEvents) {
    const { status, at, checkInId } = grouped
    const monitorId = await saveMonitor(trx, grouped)
    const seen = { last_status: status, last_check_in_at: at, last_check_in_id: checkInId }
    await trx
      .insertInto('monitor_environment')
      .values({
        monitor_id: monitorId,
        environment: clipText(withoutZeroBytes(grouped.environment), maxEnvironmentChars),
        ...seen,
      })
      .onConflict(conflict => {
        const update = conflict.columns(['monitor_id', 'environment']).doUpdateSet(seen)
        return status === 'in_progress' && checkInId !== ''
          ? update.where('monitor_environment.last_check_in_id', '!=', checkInId)
          : update
      })
      .execute()
  }
}

async function saveMonitor(trx: Transaction<ControlSchema>, grouped: MonitorCheckIn): Promise<number> {
  const slug = withoutZeroBytes(grouped.slug)
  const config = grouped.config === null ? null : withoutZeroBytes(grouped.config)
  const { id } = await trx
    .insertInto('monitor')
    .values({ project_id: grouped.projectId, slug, config: config ?? '{}', created_at: grouped.at })
    // An update that changes nothing gives the id back, on both engines.
    .onConflict(conflict =>
      conflict
        .columns(['project_id', 'slug'])
        .doUpdateSet(config === null ? eb => ({ slug: eb.ref('monitor.slug') }) : { config }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** PostgreSQL has no place for U+0000 in a text. */
const withoutZeroBytes = (text: string): string => text.replaceAll('\0', '')
