import type { Transaction } from 'kysely'
import { clipText } from '#lib/text.ts'
import type { ControlSchema } from '#store/control/schema.ts'

export type MonitorSighting = {
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
export async function noteMonitors(trx: Transaction<ControlSchema>, sightings: MonitorSighting[]): Promise<void> {
  for (const sighting of sightings) {
    const { status, at, checkInId } = sighting
    const monitorId = await saveMonitor(trx, sighting)
    const seen = { last_status: status, last_check_in_at: at, last_check_in_id: checkInId }
    await trx
      .insertInto('monitor_environment')
      .values({
        monitor_id: monitorId,
        environment: clipText(withoutZeroBytes(sighting.environment), maxEnvironmentChars),
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

async function saveMonitor(trx: Transaction<ControlSchema>, sighting: MonitorSighting): Promise<number> {
  const slug = withoutZeroBytes(sighting.slug)
  const config = sighting.config === null ? null : withoutZeroBytes(sighting.config)
  const { id } = await trx
    .insertInto('monitor')
    .values({ project_id: sighting.projectId, slug, config: config ?? '{}', created_at: sighting.at })
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
