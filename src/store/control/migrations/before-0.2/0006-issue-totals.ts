import type { Migration } from '../../migration.ts'

/** The sums of a list are read from this index alone: the table's rows carry a sketch of users that a list has no use for. */
export const issueTotalsIndex: Migration = {
  name: '0006-issue-totals',
  statements: schema => [
    schema
      .createIndex('issue_hash_totals_idx')
      .on('issue_hash')
      .columns(['project_id', 'issue_id', 'event_count', 'user_count', 'first_seen', 'last_seen']),
  ],
}
