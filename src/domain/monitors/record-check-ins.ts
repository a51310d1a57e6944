import type { Transaction } from 'kysely'
import { clipText } from '#lib/text.ts'
import type { ControlSchema } from '#store/control/schema.ts'

export type MonitorCheckIn = {
  projectId: number
  slug: string
  environment: string
  /** Empty if the SDK sent none. */
  checkInId: string
  status: string
  at: number
  config: string | null
}

/** Chars. The limit of Sentry's SDKs. */
const maxEnvironmentChars = 64

/**
 * Records check-ins of cron monitors per environment: a job that dies in production must not look alive because staging runs it.
 * The first check-in of a run may arrive after its last one; it then only updates the schedule.
 */
export async function recordCheckIns(trx: Transaction<ControlSchema>, checkIns: MonitorCheckIn[]): Promise<void> {
  for (const checkIn of checkIns) {
    const { status, at, checkInId } = checkIn
    const monitorId = await saveMonitor(trx, checkIn)
    const seen = { last_status: status, last_check_in_at: at, last_check_in_id: checkInId }
    await trx
      .insertInto('monitor_environment')
      .values({
        monitor_id: monitorId,
        environment: clipText(withoutZeroBytes(checkIn.environment), maxEnvironmentChars),
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

async function saveMonitor(trx: Transaction<ControlSchema>, checkIn: MonitorCheckIn): Promise<number> {
  const slug = withoutZeroBytes(checkIn.slug)
  const config = checkIn.config === null ? null : withoutZeroBytes(checkIn.config)
  const { id } = await trx
    .insertInto('monitor')
    .values({ project_id: checkIn.projectId, slug, config: config ?? '{}', created_at: checkIn.at })
    // A no-op update returns the id on SQLite and PostgreSQL alike.
    .onConflict(conflict =>
      conflict
        .columns(['project_id', 'slug'])
        .doUpdateSet(config === null ? eb => ({ slug: eb.ref('monitor.slug') }) : { config }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** PostgreSQL rejects U+0000 in text. */
const withoutZeroBytes = (text: string): string => text.replaceAll('\0', '')
