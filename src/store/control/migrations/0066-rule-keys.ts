import { CompiledQuery } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * Names of rules are unique per project, not per organization, so that nobody learns of a rule that they may not see. SQLite cannot drop
 * the constraint, so the column that has it becomes the key. A rule is a few hundred bytes: this is no job.
 */
export const ruleKeys: Migration = {
  name: '0066-rule-keys',
  statements: schema => [
    schema.alterTable('alert_rule').renameColumn('name', 'key'),
    schema.alterTable('alert_rule').addColumn('name', 'text', column => column.notNull().defaultTo('')),
    { compile: () => CompiledQuery.raw(fill) },
  ],
}

const fill = `UPDATE alert_rule SET name = key, key = COALESCE(CAST(project_id AS text), '') || '/' || key`
