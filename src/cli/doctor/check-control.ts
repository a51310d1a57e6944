import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config.ts'
import type { MigrationPlan } from '#store/control/migrate-control.ts'
import { planControlMigrations } from '#store/control/migrate-control.ts'
import { openControl } from '#store/control/open-control.ts'
import { type Check, fail, ok, reasonOf, warn } from './check.ts'

const name = 'control database'

/** Changes nothing: does not create a missing file, does not run pending migrations. */
export async function checkControl(config: Config): Promise<Check> {
  const engine = config.databaseUrl === undefined ? 'SQLite' : 'PostgreSQL'
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'control.db'))) {
    return ok(name, 'Not created yet. The first start creates it.')
  }
  try {
    return describePlan(await readPlan(config), engine)
  } catch (error) {
    return fail(
      name,
      `${engine} cannot be opened: ${reasonOf(error)}.`,
      'Check DATABASE_URL, or the owner of the file.',
    )
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

function describePlan(plan: MigrationPlan, engine: string): Check {
  if (!plan.ok) {
    const fix = 'Run the newer version, or restore a copy from control-backups.'
    return fail(name, `${engine} has migrations of a newer version: ${plan.unknown.join(', ')}.`, fix)
  }
  if (plan.edited.length > 0) {
    const fix = 'Run the version that applied them, or a release: its migrations are never edited.'
    return fail(name, `Applied migrations differ from those of this version: ${plan.edited.join(', ')}.`, fix)
  }
  const pending = plan.pending.map(step => step.name).join(', ')
  if (pending === '') return ok(name, `${engine} can be opened, and its migrations are current.`)
  return warn(
    name,
    `${engine} can be opened, but has pending migrations: ${pending}.`,
    'Run hydrant migrate, or start Hydrant.',
  )
}
