/** The control database may be away when Hydrant starts: events with known keys are accepted meanwhile, the rest waits for it. */
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from '#config.ts'
import { settleWithin } from '#lib/settle-within.ts'
import type { Control } from '#store/control/control.ts'
import { migrateControl } from '#store/control/migrate-control.ts'

type Options = { config: Config; control: Control; log: Logger; isStopping(): boolean }
export type ControlStore = {
  /** Whether it answered at start, with its tables in place. */
  readonly isUp: boolean
  /** Rejects where the database is there and cannot be used, as with tables of a newer version. */
  whenUp: Promise<void>
}

const answerMs = 5_000
const retryMs = { first: 200, most: 5_000 }

export async function openControlStore({ config, control, log, isStopping }: Options): Promise<ControlStore> {
  let isUp = false
  async function isAnswering(): Promise<boolean> {
    if (config.databaseUrl === undefined) return true // a file: whatever is wrong with it does not pass by itself
    return (await settleWithin(sql`SELECT 1`.execute(control.db), answerMs)) !== null
  }

  /** True when it is ready; false when it was not there, or left on the way. */
  async function attempt(): Promise<boolean> {
    if (!(await isAnswering())) return false
    try {
      const migrated = await migrateControl(control, { dataDir: config.dataDir, log })
      log.info({ migrated }, 'control database is up to date')
      isUp = true
      return true
    } catch (error) {
      if (await isAnswering()) throw error
      return false
    }
  }

  async function keepTrying(): Promise<void> {
    for (let waitMs = retryMs.first; !isStopping(); waitMs = Math.min(waitMs * 2, retryMs.most)) {
      await new Promise(resolve => setTimeout(resolve, waitMs))
      if (await attempt()) return log.info('the control database answers again')
    }
    await new Promise(() => undefined) // nobody needs it any more
  }

  const whenUp = (await attempt()) ? Promise.resolve() : keepTrying()
  if (!isUp)
    log.error(
      'Couldn’t reach the control database (DATABASE_URL). Retrying; events with keys known from the last run are accepted.',
    )
  return {
    get isUp() {
      return isUp
    },
    whenUp,
  }
}
