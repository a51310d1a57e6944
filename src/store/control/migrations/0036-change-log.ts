import { CompiledQuery } from 'kysely'
import type { Migration } from '../migration.ts'

/** What happened to issues, for readers that follow it: the mirror in telemetry, later alert rules. */
export const changeLog: Migration = {
  name: '0036-change-log',
  statements: (schema, { number, identity }) => [
    schema
      .createTable('issue_change')
      .addColumn('id', number, identity)
      // Null until a reader has seen the row committed: ids are assigned earlier than that.
      .addColumn('position', number)
      .addColumn('project_id', number, column => column.notNull().references('project.id').onDelete('cascade'))
      // No reference: the log also tells of issues that are gone.
      .addColumn('issue_id', number, column => column.notNull())
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('at', number, column => column.notNull())
      .addColumn('actor', 'text', column => column.notNull())
      .addColumn('detail', 'text', column => column.notNull()),
    schema.createIndex('issue_change_position_idx').unique().on('issue_change').column('position'),
    schema
      .createTable('change_cursor')
      .addColumn('reader', 'text', column => column.primaryKey().notNull())
      .addColumn('position', number, column => column.notNull())
      .addColumn('moved_at', number, column => column.notNull()),
    // Without issues an empty mirror is complete. Otherwise the log lacks its beginning, and the mirror is swept first.
    statement(
      `insert into change_cursor (reader, position, moved_at)
       select 'issue_mirror', 0, 0 where not exists (select 1 from issue)`,
    ),
  ],
}

const statement = (text: string) => ({ compile: () => CompiledQuery.raw(text) })
