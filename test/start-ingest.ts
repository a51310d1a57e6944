/** Starts a Hydrant without the web process, with an organization and a project, for tests of ingest. */
import { postEvent } from './e2e/post-event.ts'
import { type Hydrant, type Provisioned, startHydrant, until } from './start-hydrant.ts'

export async function startIngest(
  firstEventId: string,
  env: Record<string, string> = {},
): Promise<{ hydrant: Hydrant; project: Provisioned }> {
  const hydrant = await startHydrant({ env: { HYDRANT_ROLES: 'ingest,jobs', ...env } })
  const owner = ['--email', 'owner@acme.dev', '--password', 'correct horse battery']
  const project = await hydrant.init('--org', 'acme', '--project', 'web', ...owner)
  await until(async () => (await postEvent(project.dsn, firstEventId)) === 200)
  await hydrant.drained()
  return { hydrant, project }
}
