import { type Field, number, text } from './field.ts'

/** Every question binds the viewer's projects under these names. */
const slug = "transform(project_id, {projectIds:Array(UInt64)}, {projectSlugs:Array(String)}, '')"

/** The names that all tables share. */
export const projectFields: Readonly<Record<string, Field>> = {
  project: text(slug),
  'project.name': text(slug),
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
