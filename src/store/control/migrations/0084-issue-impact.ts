import { CompiledQuery } from 'kysely'
import type { Migration } from '../migration.ts'

/** What lists sort by, and no query can compute for each issue. A job fills it in the first minute. */
export const issueImpact: Migration = {
  name: '0084-issue-impact',
  statements: (schema, { number }) => [
    schema.alterTable('issue').addColumn('impact', number, column => column.notNull().defaultTo(0)),
    // Partial: most issues have had no event for a day.
    { compile: () => CompiledQuery.raw('create index issue_impact_idx on issue (id) where impact > 0') },
  ],
}
