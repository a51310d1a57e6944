/**
 * What a word of a question means in a table.
 * `uuid` and `span` are ids: shown as hex digits, compared as what the column holds, so that its index is used.
 */
export type FieldType = 'string' | 'number' | 'duration' | 'boolean' | 'date' | 'uuid' | 'span'

export type Field = {
  type: FieldType
  sql: string
  /** Plain words are looked for anywhere in it. */
  isLoose?: true
  /** Known only to the mirror of issue states, which has to be joined. */
  isOfIssue?: true
}

/** A field that a dataset knows, or anything else: a tag of an event, an attribute of a span or a log line. */
export type Reference = { kind: 'field'; name: string; field: Field } | { kind: 'tag'; name: string; key: string }

/** What the answer says about a column; milliseconds where it is a duration. */
export type ColumnType = 'string' | 'integer' | 'number' | 'duration' | 'boolean' | 'date' | 'percentage' | 'rate'

/** The word that cannot be asked, and a sentence that says why and what to do instead. */
export type Fault = {
  ok: false
  code: 'wrong_dataset' | 'wrong_field' | 'wrong_function' | 'wrong_query' | 'wrong_sort' | 'wrong_time' | 'too_slow'
  message: string
}

export const text = (sql: string): Field => ({ type: 'string', sql })
export const number = (sql: string): Field => ({ type: 'number', sql })
export const duration = (sql: string): Field => ({ type: 'duration', sql })
export const flag = (sql: string): Field => ({ type: 'boolean', sql })
export const date = (sql: string): Field => ({ type: 'date', sql })
export const uuid = (sql: string): Field => ({ type: 'uuid', sql })
export const span = (sql: string): Field => ({ type: 'span', sql })

/** Every question binds the viewer's projects under these names. */
export const projectSlug = "transform(project_id, {projectIds:Array(UInt64)}, {projectSlugs:Array(String)}, '')"

/** The names that all tables share. */
export const projectFields: Readonly<Record<string, Field>> = {
  project: text(projectSlug),
  'project.name': text(projectSlug),
  'project.id': number('project_id'),
  project_id: number('project_id'),
  environment: text('environment'),
  'sentry.environment': text('environment'),
  release: text('release'),
  'sentry.release': text('release'),
  server_name: text('server_name'),
  'sdk.name': text('sdk_name'),
  'sentry.sdk.name': text('sdk_name'),
  'sdk.version': text('sdk_version'),
  'sentry.sdk.version': text('sdk_version'),
  'user.id': text('user_id'),
  route: text('route'),
}
