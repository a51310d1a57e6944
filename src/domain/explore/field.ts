/**
 * The type of a field. `uuid` and `span` are ids: shown as hex digits, but compared in the column's type, so that its index is used.
 */
export type FieldType = 'string' | 'number' | 'duration' | 'boolean' | 'date' | 'uuid' | 'span'

export type Field = {
  type: FieldType
  sql: string
  /** Values match anywhere in the text. */
  isLoose?: true
  /** Needs a join with the mirror of issue states. */
  isOfIssue?: true
}

/** A field of a dataset, or a tag of an event, or an attribute of a span or log line. */
export type Reference = { kind: 'field'; name: string; field: Field } | { kind: 'tag'; name: string; key: string }

/** The type of a result column. Durations are in milliseconds. */
export type ColumnType = 'string' | 'integer' | 'number' | 'duration' | 'boolean' | 'date' | 'percentage' | 'rate'

/** Why a query is invalid; the message names the wrong word and what to do. */
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

/** Every query binds the viewer's projects under these names. */
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
