import { CompiledQuery } from 'kysely'
import type { Migration } from '../migration.ts'

/** The terms of a status that queries filter by, out of their JSON: see `termColumns` in status-detail.ts. */
export const statusColumns: Migration = {
  name: '0037-status-columns',
  statements: (schema, { number, jsonField }) => {
    const detail = (field: string) => jsonField('status_detail', field)
    return [
      schema.alterTable('issue').addColumn('waits_after', 'text'),
      schema.alterTable('issue').addColumn('resolved_in', 'text'),
      schema.alterTable('issue').addColumn('archived_until', number),
      schema.alterTable('issue_activity').addColumn('release', 'text'),
      statement(
        `update issue set resolved_in = ${detail('version')}
         where status = 'resolved' and ${detail('kind')} in ('in_release', 'next_release')`,
      ),
      statement(
        `update issue set waits_after = ${detail('after')}
         where status = 'resolved' and ${detail('kind')} = 'next_release' and ${detail('version')} is null`,
      ),
      statement(
        `update issue set archived_until = cast(${detail('at')} as ${number})
         where status = 'archived' and ${detail('kind')} = 'until_date'`,
      ),
      statement(`update issue_activity set release = ${jsonField('detail', 'release')} where kind = 'regressed'`),
      // Partial: most issues wait for nothing, and rows without a value need no place in an index.
      statement('create index issue_waits_after_idx on issue (project_id, waits_after) where waits_after is not null'),
      statement('create index issue_resolved_in_idx on issue (resolved_in) where resolved_in is not null'),
      statement('create index issue_archived_until_idx on issue (archived_until) where archived_until is not null'),
      statement('create index issue_activity_release_idx on issue_activity (release) where release is not null'),
    ]
  },
}

const statement = (text: string) => ({ compile: () => CompiledQuery.raw(text) })
