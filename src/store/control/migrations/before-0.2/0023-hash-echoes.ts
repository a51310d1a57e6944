import type { Migration } from '../../migration.ts'

/** Browsers' errors whose server reports to another project: which of its groups they stand for. */
export const hashEchoes: Migration = {
  name: '0023-hash-echoes',
  statements: (schema, { number }) => [
    // No references: written for batches. A group that is gone leads nowhere.
    schema
      .createTable('hash_echo')
      .addColumn('project_id', number, column => column.notNull())
      .addColumn('group_version', number, column => column.notNull())
      .addColumn('group_hash', 'text', column => column.notNull())
      .addColumn('server_project_id', number, column => column.notNull())
      .addColumn('server_hash', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('hash_echo_pk', ['project_id', 'group_version', 'group_hash']),
    schema.createIndex('hash_echo_server_idx').on('hash_echo').columns(['server_project_id', 'server_hash']),
  ],
}
