import type { Migration } from '../migration.ts'
import { baseline } from './0035-baseline.ts'
import { changeLog } from './0036-change-log.ts'
import { statusColumns } from './0037-status-columns.ts'
import { tickets } from './0038-tickets.ts'
import { projectLifecycle } from './0039-project-lifecycle.ts'
import { deletedPeriods } from './0041-deleted-periods.ts'
import { scrubRules } from './0050-scrub-rules.ts'
import { userErasures } from './0051-user-erasures.ts'
import { migrationsBeforeBaseline } from './before-0.2/list.ts'

export type ControlMigrations = {
  /** For databases that began before the baseline. Its tables are what these make. */
  before: readonly Migration[]
  /** A new database begins with it. */
  baseline: Migration
  /** Since then, in the order in which they are applied. A new one goes to the end. */
  numbered: readonly Migration[]
}

export const migrations: ControlMigrations = {
  before: migrationsBeforeBaseline,
  baseline,
  numbered: [changeLog, statusColumns, tickets, projectLifecycle, deletedPeriods, scrubRules, userErasures],
}
