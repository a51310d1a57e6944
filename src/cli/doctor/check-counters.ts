import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config.ts'
import type { Control } from '#store/control/control.ts'
import { planControlMigrations } from '#store/control/migrate-control.ts'
import { openControl } from '#store/control/open-control.ts'
import { type Check, ok, warn } from './check.ts'

const name = 'counters'
const recentMs = 7 * 86_400_000

/** The result of the last reconciliation. Empty when the database cannot be read, which `checkControl` reports. */
export async function checkCounters(config: Config): Promise<Check[]> {
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'control.db'))) return []
  const control = openControl(config)
  try {
    const plan = await planControlMigrations(control)
    return plan.ok && plan.pending.length === 0 ? [await describeDifferences(control, Date.now())] : []
  } catch {
    return []
  } finally {
    await control.close()
  }
}

async function describeDifferences({ db }: Control, nowMs: number): Promise<Check> {
  const days = await db.selectFrom('reconciled_day').selectAll().orderBy('day', 'desc').execute()
  if (days.length === 0) return ok(name, 'The counters have not been compared with the stored events yet.')
  const last = new Date(Math.max(...days.map(day => day.checked_at))).toISOString()
  const repaired = days.filter(day => day.differences > 0 && day.checked_at > nowMs - recentMs)
  if (repaired.length === 0)
    return ok(name, `The counters of ${days.length} days match the stored events (last compared ${last}).`)
  const differences = repaired.reduce((sum, day) => sum + day.differences, 0)
  return warn(
    name,
    `${differences} counters of ${repaired.length} days differed from the stored events and were repaired (last compared ${last}).`,
    'This is expected after you restored the control database or lost a file. Otherwise search the log for “repaired” and report it.',
  )
}
