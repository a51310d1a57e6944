import { createViewer, type Viewer } from '#domain/access/viewer.ts'
import { setUp } from '#domain/projects/provision.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { type Control, openControl } from '#store/control/open-control.ts'
import { silentLog } from './on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from './start-telemetry.ts'

export type Acme = TelemetryUnderTest & { control: Control; viewer: Viewer; projectId: number }

/** Both stores with one organization and one project, as its owner sees them. */
export async function openAcme(now: number): Promise<Acme> {
  const store = await borrowTelemetry()
  const control = openControl({ dataDir: store.folder })
  await migrateControl(control, { dataDir: store.folder, log: silentLog })
  const made = await setUp(
    { db: control.db, actor: 'test', now: () => now },
    {
      owner: { email: 'ada@example.com', password: 'correct horse' },
      organization: { slug: 'acme' },
      project: { slug: 'web' },
    },
  )
  if (!made.ok) throw new Error(made.code)
  const projectId = made.project.id
  const identity = {
    user: { id: made.userId, name: 'Ada', email: 'ada@example.com' },
    organization: { id: 1, slug: 'acme', name: 'acme' },
    role: 'owner' as const,
    projects: [{ id: projectId, slug: 'web', name: 'web', isInternal: false }],
    now,
  }
  const viewer = createViewer(identity, { control, telemetry: store.telemetry })
  return {
    ...store,
    control,
    viewer,
    projectId,
    stop: async () => {
      await control.close()
      await store.stop()
    },
  }
}
