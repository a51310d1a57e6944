import { type Field, number, text } from './field.ts'

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
