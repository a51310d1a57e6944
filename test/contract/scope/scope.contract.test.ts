/** A viewer sees nothing of other organizations, whatever ids they know. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Viewer } from '#domain/access/viewer.ts'
import { setUp } from '#domain/projects/provision.ts'
import { viewAs } from '../../view-as.ts'
import { onEachEngine } from '../on-each-engine.ts'
import { borrowTelemetry, type TelemetryUnderTest } from '../start-telemetry.ts'
import { describeOther, organizationId, projectId, userId, writeOther } from './other-organization.ts'
import { plain } from './plain.ts'
import { readsOf } from './reads.ts'

/** Not reads: they write SQL, or cache what a read gives. */
const helpers = [
  'cacheIssueQuery',
  'cacheQuery',
  'cacheRange',
  'cacheSettled',
  // A hint for the reads of a trace.
  'cacheTraceTime',
  'exploreScope',
  'findTraceTime',
  // Whether a read is worth while: true for projects outside of the scope.
  'haveSent',
  // Lists when Hydrant accepted no data, which is the same for all viewers.
  'listPauses',
  'logRange',
  // Of what `readNewestEvents` gives.
  'mayHaveSide',
  'narrowViewer',
  'projectIds',
  'queryRouteSums',
  // Only starts the reads of a page.
  'readAroundEvent',
  // Returns how far inboxes are committed, which is the same for all viewers.
  'readTailStart',
  'replayScope',
  // Terms of a plan by `resolveTerms`.
  'resolvePlan',
  'spanScope',
  'spansWhere',
  'viewerAt',
  'withJoinedReads',
]
/** Parts of `listIssues`, which give their results only in its terms. */
const parts = ['countEdge', 'countInRange', 'findCountedPeriods', 'readPending', 'readPendingStates']

/** Only says something to viewers with hidden projects: private-projects.contract.test.ts. */
const ofHidden = ['isHiddenRelease']
/** Parts of the job that evaluates rules: it sees the projects of a rule's organization. */
const jobs = [
  'createSearches',
  'describeChange',
  'describeRelease',
  'findCountedIssues',
  'findDeploys',
  'findLimits',
  'findMetrics',
  'listCandidates',
  'listChangeRounds',
  'listMinuteRounds',
  'listPastChanges',
  'listVersions',
  'matchCounts',
  'matchRules',
  'measureAt',
  'previewMetric',
  'readArchivedTimes',
  'readEventTraces',
  'readLine',
  'readTraces',
  'releaseLimits',
]

/** Sentences about what the reads give: few data have none, so that nobody's sentence differs. */
const findings = ['findIssueFinding', 'findRouteFinding', 'listRouteFindings']

const other = describeOther()
const reads = readsOf(other)

/** Each result, or the message of its error. */
async function readAll(viewer: Viewer): Promise<Record<string, unknown>> {
  const results: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(reads))
    results[name] = await Promise.resolve()
      .then(() => read(viewer))
      .catch((error: Error) => `throws: ${error.message}`)
  return results
}

onEachEngine(({ newControl }) => {
  let store: TelemetryUnderTest
  beforeAll(async () => {
    store = await borrowTelemetry()
  })
  afterAll(() => store?.stop())

  test('every read gives a viewer the same, whether the other organization has data or none', async () => {
    const control = await newControl()
    const made = await setUp(
      { db: control.db, actor: 'test', now: () => other.now },
      {
        owner: { email: 'ada@example.com', password: 'correct horse' },
        organization: { slug: 'acme' },
        project: { slug: 'web' },
      },
    )
    if (!made.ok) throw new Error(made.code)
    // Each with a cache of its own.
    const stores = () => ({ control, telemetry: { ...store.telemetry } })
    const own = { projects: [made.project.id], user: { id: made.userId, name: '', email: '' }, now: other.now }
    const before = await readAll(viewAs(stores(), own))
    await writeOther(control, store.telemetry, other)
    const after = await readAll(viewAs(stores(), own))
    expect(after).toEqual(before)

    const theirs = {
      organization: { id: organizationId, slug: 'other', name: 'Other' },
      projects: [{ id: projectId, slug: 'app', name: 'App', isInternal: false }, 902],
      user: { id: userId, name: '', email: '' },
      now: other.now,
    }
    const seen = await readAll(viewAs(stores(), theirs))
    expect(Object.entries(seen).filter(([, result]) => String(result).startsWith('throws: '))).toEqual([])
    // What the other organization itself does not see proves nothing.
    const alike = Object.keys(reads).filter(
      name => JSON.stringify(plain(seen[name])) === JSON.stringify(plain(after[name])),
    )
    expect(alike).toEqual([])
  })
})

test('every exported function of the domain that takes a viewer is among them', () => {
  const folder = join(import.meta.dirname, '../../../src/domain')
  const takesViewer =
    /export (?:async )?(?:function\*? (\w+)(?:<[^>]*>)?|const (\w+) = (?:async )?)\(\s*(?:viewer|\{[^}]*\}): (?:Viewer|Pick<Viewer[^>]*>)\s*[,)]/g
  const names = globSync('**/*.ts', { cwd: folder })
    .filter(path => !path.endsWith('.test.ts'))
    .flatMap(path =>
      [...readFileSync(join(folder, path), 'utf8').matchAll(takesViewer)].map(match => match[1] ?? match[2]),
    )
  expect(names.sort()).toEqual([...Object.keys(reads), ...helpers, ...parts, ...ofHidden, ...jobs, ...findings].sort())
})
