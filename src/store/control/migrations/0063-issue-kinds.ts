import type { Migration } from '../migration.ts'

/** Every page counts the unread feedback: without the index it would read all unresolved issues. */
export const issueKinds: Migration = {
  name: '0063-issue-kinds',
  statements: schema => [schema.createIndex('issue_kind_idx').on('issue').columns(['project_id', 'kind', 'status'])],
}
