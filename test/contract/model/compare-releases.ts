/** Releases: the list, a release's page, what it is compared with, and how many use it. */
import { listRollout } from '#domain/events/list-rollout.ts'
import { compareRelease } from '#domain/findings/release/compare-release.ts'
import { findIssue } from '#domain/issues/find-issue.ts'
import { countReleaseActivity } from '#domain/releases/count-release-activity.ts'
import { findLastEvents, findLastSeenIn, listReleaseIssues } from '#domain/releases/list-release-issues.ts'
import { listReleaseMarks } from '#domain/releases/list-release-marks.ts'
import { listReleaseStarts } from '#domain/releases/list-release-starts.ts'
import { listReleases, type ReleaseListRow } from '#domain/releases/list-releases.ts'
import { findNewestVersions } from '#domain/releases/newest-versions.ts'
import { countAdoption, countNewIssues, countReleaseEvents } from '#domain/releases/release-counts.ts'
import { dayMs } from './generate.ts'
import { byNumber, type Model, sum, truthOf, usersOf, viewsOf } from './report.ts'

const stepMs = 5 * 60_000
const bucketOf = (at: number): number => Math.floor(at / stepMs) * stepMs
const isView = ({ kind }: { kind: string }): boolean => kind === 'load' || kind === 'navigation'

export async function compareReleases(model: Model): Promise<void> {
  const { viewer, now, ownOf, events, sent, visits, sessions, report } = model
  const { same, users, near } = report
  const { releases } = await listReleases(viewer, { sort: 'date', offset: 0 })
  const all = [...sent, ...visits, ...sessions]
  const versions = [...new Set(all.flatMap(({ release }) => release || []))].sort()
  same('releases', releases.map(({ version }) => version).sort(), versions)
  const adoption = await countAdoption(viewer, releases)
  const lastEvents = await findLastEvents(viewer, releases)
  for (const release of releases) {
    const { version } = release
    const isOwn = (row: { release: string }): boolean => row.release === version
    same(`first sign of ${version}`, release.firstSeen, Math.min(...all.filter(isOwn).map(({ at }) => at)))
    const seen = events.filter(isOwn)
    same(`last event of ${version}`, lastEvents.get(version), Math.max(...seen.map(({ at }) => at)))
    const fresh = [...ownOf].flatMap(([id, own]) => {
      const first = own.reduce((oldest, event) => (event.at < oldest.at ? event : oldest))
      return first.release === version ? [id] : []
    })
    same(`number of new issues of ${version}`, release.newIssues, fresh.length)
    const listed = await listReleaseIssues(viewer, version)
    same(`new issues of ${version}`, listed.new.map(({ id }) => id).sort(byNumber), fresh.sort(byNumber))
    for (const issue of [...listed.new, ...listed.regressed]) {
      const truth = truthOf(ownOf.get(issue.id) ?? [])
      same(`events of issue ${issue.id} of ${version}`, issue.eventCount, truth.events)
      users(`users of issue ${issue.id} of ${version}`, issue.userCount, truth.users)
    }
    const seenIn = await findLastSeenIn(viewer, version, { issueIds: [...ownOf.keys()], since: now - 7 * dayMs })
    for (const [id, own] of ownOf) {
      const last = own.filter(event => isOwn(event) && event.at >= now - 7 * dayMs).map(({ at }) => at)
      same(`last event of issue ${id} in ${version}`, seenIn.get(id), last.length === 0 ? undefined : Math.max(...last))
    }
    const bars = await countReleaseEvents(viewer, release)
    same(`bars of ${version}`, sum(bars.counts), seen.filter(({ at }) => at >= bars.from && at <= bars.to).length)
    const adopted = adoption.get(version)
    const lately = seen.filter(({ at }) => at >= now - 14 * dayMs)
    same(`events of ${version}`, adopted?.events, lately.length)
    users(`users of ${version}`, adopted?.users ?? 0, usersOf(lately))
    const today = [...events, ...visits, ...sessions].filter(row => row.at >= now - dayMs && row.release !== '')
    const ofProjects = today.filter(({ projectId }) => release.projectIds.includes(projectId))
    near(`adoption of ${version}`, adopted?.share ?? 0, usersOf(ofProjects.filter(isOwn)) / usersOf(ofProjects), 1e-9)
    await compareActivity(model, release)
  }
  await compareScopes(model)
  if (model.isWhole) {
    await comparePrevious(model, releases)
    await compareRollout(model)
  }
  for (const { id: projectId } of viewer.projects) {
    const own = all.filter(row => row.projectId === projectId && row.release !== '')
    const firstOf = new Map(
      [...Map.groupBy(own, row => row.release)].map(([name, rows]) => [name, Math.min(...rows.map(({ at }) => at))]),
    )
    const inOrder = [...firstOf].sort((a, b) => a[1] - b[1])
    const marks = await listReleaseMarks(viewer, projectId, { from: 0, to: now })
    same(
      `marks of project ${projectId}`,
      marks.map(({ release, at }) => [release, at]),
      inOrder,
    )
    const starts = await listReleaseStarts(viewer, { projectId, since: now - 14 * dayMs, environments: new Set() })
    same(
      `starts of project ${projectId}`,
      starts.map(({ version, at }) => [version, at]),
      inOrder,
    )
    same(`newest release of project ${projectId}`, (await findNewestVersions(viewer)).get(projectId), versions.at(-1))
  }
}

/** The list with a filter: projects say which releases are listed, environment and time what is counted of them. */
async function compareScopes({ viewer, now, ownOf, events, sent, visits, sessions, report }: Model) {
  const { same, near } = report
  const one = viewer.projects.slice(0, 1).map(({ id }) => id)
  const scopes = [
    { name: 'one project', projectIds: one, counted: { rangeMs: 7 * dayMs } },
    { name: 'staging', projectIds: undefined, counted: { rangeMs: 7 * dayMs, environment: 'staging' } },
    { name: 'chosen days', projectIds: undefined, counted: { rangeMs: 6 * dayMs + 1_234, to: now - 5 * dayMs } },
    {
      name: 'chosen days of one project in staging',
      projectIds: one,
      counted: { rangeMs: 4 * dayMs, to: now - 1_234_567, environment: 'staging' },
    },
  ]
  for (const { name, projectIds, counted } of scopes) {
    const { environment, rangeMs, to = now } = { to: undefined, environment: undefined, ...counted }
    const isHere = (row: { projectId: number }): boolean => projectIds?.includes(row.projectId) ?? true
    const isCounted = (row: { projectId: number; at: number; environment: string }): boolean =>
      isHere(row) && row.at >= to - rangeMs && row.at <= to && (row.environment === environment || !environment)
    const page = await listReleases(viewer, { sort: 'date', offset: 0, projectIds, counted })
    const known = [...sent, ...visits, ...sessions].filter(row => isHere(row) && row.at <= to && row.release !== '')
    const versions = [...new Set(known.map(({ release }) => release))].sort()
    same(`releases of ${name}`, page.releases.map(({ version }) => version).sort(), versions)
    same(`number of releases of ${name}`, page.total, versions.length)
    const adoption = await countAdoption(viewer, page.releases, counted)
    const newIssues = await countNewIssues(viewer, page.releases, { projectIds, ...counted })
    for (const { version, newIssues: inAll, projectIds: shown } of page.releases) {
      const what = `${version} of ${name}`
      const isOwn = (row: { release: string }): boolean => row.release === version
      same(
        `projects of ${what}`,
        shown.filter(id => projectIds && !projectIds.includes(id)),
        [],
      )
      const lately = events.filter(event => isOwn(event) && isCounted(event))
      same(`events of ${what}`, adoption.get(version)?.events, lately.length)
      const fresh = [...ownOf.values()].filter(own => {
        const first = own.reduce((oldest, event) => (event.at < oldest.at ? event : oldest))
        return isOwn(first) && isHere(first) && first.at >= to - rangeMs && first.at <= to
      })
      same(`new issues of ${what} in all environments`, inAll, fresh.length)
      const counts = [...(newIssues.get(version)?.values() ?? [])]
      same(`new issues of ${what}`, sum(counts), fresh.filter(own => own.some(isCounted)).length)
      const active = [...events, ...visits, ...sessions].filter(
        row => isCounted(row) && row.release !== '' && shown.includes(row.projectId),
      )
      const share = active.length === 0 ? null : usersOf(active.filter(isOwn)) / usersOf(active)
      near(`adoption of ${what}`, adoption.get(version)?.share ?? null, share, 1e-9)
    }
  }
}

async function compareActivity({ viewer, now, visits, sessions, report }: Model, release: ReleaseListRow) {
  const activity = await countReleaseActivity(viewer, release)
  const isIn = (at: number): boolean => at >= activity.from && at <= now
  // Views are in sums of five minutes, unless a step is shorter.
  const viewTime = (at: number): number => (activity.stepMs >= stepMs ? bucketOf(at) : at)
  const count = (isCounted: (of: { release: string }) => boolean): number =>
    viewsOf(
      visits.filter(visit => isView(visit) && visit.release !== '' && isIn(viewTime(visit.at)) && isCounted(visit)),
    ) + sum(sessions.filter(session => isIn(session.at) && isCounted(session)).map(({ quantity }) => quantity))
  const what = `activity of ${release.version}`
  report.near(
    what,
    sum(activity.own),
    count(({ release: version }) => version === release.version),
    1e-9,
  )
  report.near(
    `others beside ${release.version}`,
    sum(activity.others),
    count(({ release: version }) => version !== release.version),
    1e-9,
  )
}

/** A release and the one before it, at the same age. */
async function comparePrevious(
  { viewer, now, events, visits, sessions, report }: Model,
  releases: readonly ReleaseListRow[],
) {
  const [release, previous] = ['shop@1.2.0', 'shop@1.1.0'].map(version =>
    releases.find(each => each.version === version),
  )
  if (!release || !previous) return report.same('releases to compare', releases.length, 'at least two')
  const comparison = await compareRelease(viewer, release, previous)
  const lengthMs = now - (release.firstSeen ?? 0)
  for (const { side, from, to } of [
    { side: comparison.current, from: release.firstSeen ?? 0, to: now },
    {
      side: comparison.previous,
      from: previous.firstSeen ?? 0,
      to: Math.min(now, (previous.firstSeen ?? 0) + lengthMs),
    },
  ]) {
    const end = Math.floor((to + 1_000) / 1_000) * 1_000
    const isIn = (at: number): boolean => at >= bucketOf(from) && at < end
    const own = visits.filter(visit => visit.release === side?.version && isIn(bucketOf(visit.at)))
    const failed = events.filter(
      event =>
        event.release === side?.version && event.route !== '' && event.level !== 'warning' && isIn(bucketOf(event.at)),
    )
    const summary = side?.profile.summary
    const what = `${side?.version} at the same age`
    report.near(
      `page loads of ${what}`,
      summary?.pageLoads ?? 0,
      viewsOf(own.filter(({ kind }) => kind === 'load')),
      1e-9,
    )
    report.near(
      `requests of ${what}`,
      summary?.requests.count ?? 0,
      viewsOf(own.filter(({ kind }) => kind === 'request')),
      1e-9,
    )
    report.same(`errors of ${what}`, summary?.errors, failed.length)
    const ran = sessions.filter(session => session.release === side?.version && isIn(session.at))
    report.same(`sessions of ${what}`, side?.sessions, {
      count: sum(ran.map(({ quantity }) => quantity)),
      failed: sum(ran.filter(({ isFailed }) => isFailed).map(({ quantity }) => quantity)),
    })
  }
}

/** The chart beside deploy skew. */
async function compareRollout({ viewer, now, ownOf, visits, sessions, report }: Model): Promise<void> {
  const [id = 0, own = []] = [...ownOf].find(([, events]) => events.length > 20) ?? []
  const issue = await findIssue(viewer, id)
  if (!issue) return report.same('an issue for the rollout', null, 'an issue')
  const rollout = await listRollout(viewer, issue, 'shop@1.0.0')
  report.same('failures of a rollout', sum(rollout.failures), own.length)
  const isIn = (at: number): boolean => at >= rollout.from && at <= now
  const ofProject = (row: { projectId: number; release: string }) =>
    row.projectId === issue.projectId && row.release !== ''
  const viewTime = (at: number): number => (rollout.stepMs >= stepMs ? bucketOf(at) : at)
  const truth =
    viewsOf(visits.filter(visit => isView(visit) && ofProject(visit) && isIn(viewTime(visit.at)))) +
    sum(sessions.filter(session => ofProject(session) && isIn(session.at)).map(({ quantity }) => quantity))
  report.near('activity of a rollout', sum(rollout.old) + sum(rollout.fresh), truth, 1e-9)
}
