import type { Migration } from '../../migration.ts'

/** Where a hash came from when its issue was merged into another; null while it is at home. */
export const mergedHashes: Migration = {
  name: '0004-merged-hashes',
  statements: (schema, { number }) => [
    schema
      .alterTable('issue_hash')
      .addColumn('home_issue_id', number, column => column.references('issue.id').onDelete('set null')),
    schema.createIndex('issue_hash_home_idx').on('issue_hash').column('home_issue_id'),
  ],
}
