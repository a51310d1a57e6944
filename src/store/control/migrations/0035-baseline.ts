import type { Migration } from '../migration.ts'
import { accounts } from './baseline/accounts.ts'
import { digest } from './baseline/digest.ts'
import { issues } from './baseline/issues.ts'
import { monitors } from './baseline/monitors.ts'
import { projects } from './baseline/projects.ts'
import { releases } from './baseline/releases.ts'

/** The tables as the migrations of `before-0.2/` left them, for new databases. Like every migration it is never edited. */
export const baseline: Migration = {
  name: '0035-baseline',
  statements: (...using) =>
    [accounts, projects, issues, releases, monitors, digest].flatMap(statements => statements(...using)),
}
