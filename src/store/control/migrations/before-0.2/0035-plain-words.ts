import type { Migration } from '../../migration.ts'

/** Tables and columns get the names that docs/glossary.md has for them. */
export const plainWords: Migration = {
  name: '0035-plain-words',
  statements: schema => [
    schema.alterTable('project_pulse').renameTo('project_stats'),
    schema.alterTable('hash_echo').renameTo('linked_group'),
    schema.alterTable('issue').renameColumn('place', 'side'),
  ],
}
