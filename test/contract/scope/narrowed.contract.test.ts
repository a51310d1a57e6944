/** A narrowed viewer reads the same data as a user with access to only those projects, no matter which viewer filled the caches. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { narrowViewer, type Viewer } from '#domain/access/viewer.ts'
import { findUsualShares } from '#domain/issues/usual-shares.ts'
import { migrateControl } from '#store/control/migrate-control.ts'
import { type Control, openControl } from '#store/control/open-control.ts'
import { viewAs } from '../../view-as.ts'
import { silentLog } from '../on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from '../start-telemetry.ts'
import { writeNeighbor } from './neighbor-project.ts'
import { backendId, describeOther, organizationId, projectId, userId, writeOther } from './other-organization.ts'
import { plain } from './plain.ts'
import { readsOf } from './reads.ts'

const other = describeOther()
const reads = readsOf(other)
let store: TelemetryUnderTest
let control: Control

beforeAll(async () => {
  store = await borrowTelemetry()
  control = openControl({ dataDir: store.folder })
  await migrateControl(control, { dataDir: store.folder, log: silentLog })
  await writeOther(control, store.telemetry, other)
  await writeNeighbor(control, store.telemetry, other)
})
afterAll(async () => {
  await control?.close()
  await store?.stop()
})

const app = { id: projectId, slug: 'app', name: 'App', isInternal: false }
const backend = { id: backendId, slug: 'backend', name: 'Backend', isInternal: false, isPrivate: true }

/** Viewers that share their caches, and share them with no other call. */
function makeViewers() {
  const stores = { control, telemetry: { ...store.telemetry } }
  const member = {
    organization: { id: organizationId, slug: 'other', name: 'Other' },
    user: { id: userId, name: '', email: '' },
    now: other.now,
  }
  const wide = viewAs(stores, { ...member, projects: [app, backend] })
  return {
    wide,
    narrowed: narrowViewer(wide, [projectId]),
    only: viewAs(stores, { ...member, projects: [app], hiddenProjectIds: [backendId] }),
  }
}

async function readAll(viewer: Viewer): Promise<Record<string, string>> {
  // A list of tags is sorted by them once they are known: the same for all who see the project, but later.
  await findUsualShares(viewer, projectId)
  const results: Record<string, string> = {}
  for (const [name, read] of Object.entries(reads))
    results[name] = await Promise.resolve()
      .then(() => read(viewer))
      .then(result => JSON.stringify(plain(result)) ?? 'nothing')
      .catch((error: Error) => `throws: ${error.message}`)
  return results
}

type Results = Awaited<ReturnType<typeof readAll>>
/** The names of the reads whose results differ. */
const differing = (one: Results, other: Results): string[] =>
  Object.keys(reads).filter(name => one[name] !== other[name])

describe('every read', () => {
  let privateFirst: ReturnType<typeof makeViewers>
  let publicFirst: ReturnType<typeof makeViewers>
  /** Reads as each viewer with empty caches, and fills them for the other viewers. */
  let cold: { wide: Results; narrowed: Results }
  beforeAll(async () => {
    privateFirst = makeViewers()
    publicFirst = makeViewers()
    cold = { wide: await readAll(privateFirst.wide), narrowed: await readAll(publicFirst.narrowed) }
  })

  test('returns the same to a narrowed viewer as to a user who sees only that project', async () => {
    const asOnly = await readAll(makeViewers().only)
    expect(differing(cold.narrowed, asOnly)).toEqual([])
    expect(Object.values(asOnly).filter(result => result.startsWith('throws: '))).toEqual([])
  })

  test('returns the same when a viewer of more projects filled the caches, and the other way around', async () => {
    expect(differing(await readAll(privateFirst.narrowed), cold.narrowed)).toEqual([])
    expect(differing(await readAll(privateFirst.only), cold.narrowed)).toEqual([])
    expect(differing(await readAll(publicFirst.wide), cold.wide)).toEqual([])
    // Otherwise the comparison would prove nothing.
    expect(differing(cold.wide, cold.narrowed).length).toBeGreaterThan(45)
    expect(differing(cold.wide, cold.narrowed)).toEqual(
      expect.arrayContaining(['listEnvironments', 'listRecentReleases', 'listCachedTraceErrors', 'findSpanPosition']),
    )
  })
})

test('a viewer is narrowed to no more than it has', () => {
  const { wide } = makeViewers()
  const none = narrowViewer(wide, [])
  expect([none.projects, none.hiddenProjectIds]).toEqual([[], [projectId, backendId]])
  expect(narrowViewer(narrowViewer(wide, [projectId]), [projectId, backendId]).projects).toEqual([app])
  expect(narrowViewer(wide, [999]).projects).toEqual([])
  // @ts-expect-error A copy with other projects would keep the stores and the cache keys of all.
  const copied: Viewer = { ...wide, projects: [] }
  expect(copied.scopeKey).toBe(wide.scopeKey)
})
