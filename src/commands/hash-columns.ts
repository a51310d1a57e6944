/** All of a hash row, for the table of the deleted and back. */
export const hashColumns = [
  'project_id',
  'group_version',
  'group_hash',
  'issue_id',
  'event_count',
  'first_seen',
  'last_seen',
  'first_release',
  'last_release',
  'last_event_id',
  'user_sketch',
  'user_count',
  'home_issue_id',
] as const
