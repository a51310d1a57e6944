import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config.ts'
import type { MigrationPlan } from '#store/control/migrate-control.ts'
import { planControlMigrations } from '#store/control/migrate-control.ts'
import { openControl } from '#store/control/open-control.ts'
import { type Check, fail, ok, reasonOf, warn } from './check.ts'

const name = 'control database'

/** Looks without changing anything: an absent file is not made, pending migrations are not run. */
export async function checkControl(config: Config): Promise<Check> {
  const engine = config.databaseUrl === undefined ? 'SQLite' : 'PostgreSQL'
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'control.db'))) {
    return ok(name, 'There is none yet; the first start makes it.')
  }
  try {
    return judge(await readPlan(config), engine)
  } catch (error) {
    return fail(name, `${engine} does not open: ${reasonOf(error)}.`, 'Check DATABASE_URL, or the file and its owner.')
  }
}

async function readPlan(config: Config): Promise<MigrationPlan> {
  const control = openControl(config)
  try {
    return await planControlMigrations(control)
  } finally {
    await control.close()
  }
}

function judge(plan: MigrationPlan, engine: string): Check {
  if (!plan.ok) {
    const fix = 'Run the newer version, or go back to a copy from control-backups.'
    return fail(name, `${engine} has migrations of a newer version: ${plan.unknown.join(', ')}.`, fix)
  }
  if (plan.edited.length > 0) {
    const fix = 'Run the version that applied them, or a release: its migrations are never edited.'
    return fail(name, `${plan.edited.join(', ')} differ from what was applied.`, fix)
  }
  const pending = plan.pending.map(step => step.name).join(', ')
  if (pending === '') return ok(name, `${engine} opens, and its migrations are current.`)
  return warn(name, `${engine} opens; not yet applied: ${pending}.`, 'Run hydrant migrate, or start: it does the same.')
}
