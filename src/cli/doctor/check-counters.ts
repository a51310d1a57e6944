import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config.ts'
import type { Control } from '#store/control/control.ts'
import { planControlMigrations } from '#store/control/migrate-control.ts'
import { openControl } from '#store/control/open-control.ts'
import { type Check, ok, warn } from './check.ts'

const name = 'counters'
const recentMs = 7 * 86_400_000

/** What the comparison of counters with stored events last found. Nothing where there is nothing to read yet; checkControl says why. */
export async function checkCounters(config: Config): Promise<Check[]> {
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'control.db'))) return []
  const control = openControl(config)
  try {
    const plan = await planControlMigrations(control)
    return plan.ok && plan.pending.length === 0 ? [await judge(control, Date.now())] : []
  } catch {
    return []
  } finally {
    await control.close()
  }
}

async function judge({ db }: Control, nowMs: number): Promise<Check> {
  const days = await db.selectFrom('reconciled_day').selectAll().orderBy('day', 'desc').execute()
  if (days.length === 0) return ok(name, 'Not compared with the stored events yet.')
  const last = new Date(Math.max(...days.map(day => day.checked_at))).toISOString()
  const repaired = days.filter(day => day.differences > 0 && day.checked_at > nowMs - recentMs)
  if (repaired.length === 0)
    return ok(name, `They agree with the stored events of ${days.length} days (compared ${last}).`)
  const differences = repaired.reduce((sum, day) => sum + day.differences, 0)
  return warn(
    name,
    `${differences} differences from the stored events were repaired on ${repaired.length} days (compared ${last}).`,
    'Expected after a restored control database or a lost file. Otherwise look for “repaired” in the log and report it.',
  )
}
