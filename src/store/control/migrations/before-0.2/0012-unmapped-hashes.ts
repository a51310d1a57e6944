import type { Migration } from '../../migration.ts'

/** What waits for source maps, and the way from an address to the file that was uploaded for it. */
export const unmappedHashes: Migration = {
  name: '0012-unmapped-hashes',
  statements: (schema, { number }) => [
    schema
      .createTable('unmapped_hash')
      .addColumn('project_id', number, column => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('group_version', number, column => column.notNull())
      .addColumn('group_hash', 'text', column => column.notNull())
      .addColumn('debug_id', 'text', column => column.notNull())
      .addColumn('release', 'text', column => column.notNull())
      .addColumn('dist', 'text', column => column.notNull())
      .addColumn('event_id', 'text', column => column.notNull())
      .addColumn('seen_at', number, column => column.notNull())
      .addColumn('tried_bundle_id', number, column => column.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('unmapped_hash_pk', [
        'project_id',
        'group_version',
        'group_hash',
        'debug_id',
        'release',
        'dist',
      ]),
    schema.createIndex('unmapped_hash_debug_idx').on('unmapped_hash').column('debug_id'),
    schema.createIndex('unmapped_hash_release_idx').on('unmapped_hash').columns(['release', 'dist']),
    schema.createIndex('unmapped_hash_seen_idx').on('unmapped_hash').column('seen_at'),
    schema.createIndex('artifact_file_url_idx').on('artifact_file').columns(['bundle_id', 'url']),
  ],
}
