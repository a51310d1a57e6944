import { createViewer, projectIds, type Viewer } from '#domain/access/viewer.ts'
import type { Control } from '#store/control/control.ts'
import { scopeTelemetry } from '#store/telemetry/scope/scoped-telemetry.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'

type Stores = { control?: Control; telemetry?: Telemetry }
type Given = Partial<Pick<Viewer, 'user' | 'organization' | 'role' | 'now' | 'hiddenProjectIds'>> & {
  projects: readonly (number | Viewer['projects'][number])[]
}

/** A viewer as a guard creates one, with invented names for everything that a test does not name. */
export function viewAs({ control, telemetry }: Stores, { projects, ...given }: Given): Viewer {
  const identity = {
    user: { id: 'u1', name: '', email: '' },
    organization: { id: 1, slug: 'acme', name: 'acme' },
    role: 'owner' as const,
    now: Date.now(),
    projects: projects.map(project =>
      typeof project === 'number' ? { id: project, slug: `p${project}`, name: '', isInternal: false } : project,
    ),
    ...given,
  }
  // A test that reads only one store has no other; without a control database no issue is deleted.
  const viewer = createViewer(identity, {
    control: control ?? ({} as Control),
    telemetry: telemetry ?? ({} as Telemetry),
  })
  if (control || !telemetry) return viewer
  return Object.assign(viewer, { telemetry: scopeTelemetry(telemetry, projectIds(viewer)) })
}
