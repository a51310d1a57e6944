import { redirect } from 'next/navigation'
import { cache } from 'react'
import { type Viewer, withJoinedReads } from '#domain/access/viewer.ts'
import type { IssueEventFilter } from '#domain/events/event-scope.ts'
import { explainReact } from '#domain/events/explain-event.ts'
import { findShownEvent } from '#domain/events/find-shown-event.ts'
import type { EventChoice } from '#domain/events/pick-event.ts'
import { type EventPlace, findRecommended } from '#domain/events/recommended-event.ts'
import { resolveTerms } from '#domain/events/resolve-terms.ts'
import { haveSent } from '#domain/events/sent-kinds.ts'
import { readStacks } from '#domain/events/stacks/read-stacks.ts'
import { findIssueFinding } from '#domain/findings/issue/find-issue-finding.ts'
import { markIssueSeen } from '#domain/issues/commands/comment-on-issue.ts'
import { countIssue } from '#domain/issues/count-issue.ts'
import { findIssueByShortId, findIssueState, findSurvivingIssue, type Issue } from '#domain/issues/find-issue.ts'
import { listIssueActivity, listIssueGroups } from '#domain/issues/list-issue-activity.ts'
import { listAssignees } from '#domain/issues/list-search-values.ts'
import { listTagShares } from '#domain/issues/list-tag-shares.ts'
import { readAroundEvent } from '#domain/issues/read-around-event.ts'
import { listMentionable } from '#domain/members/list-mentionable.ts'
import { listReleaseMarks } from '#domain/releases/list-release-marks.ts'
import { getRuntime } from '#runtime.ts'
import { afterResponse } from '#web/after-response.ts'
import { attempt } from '#web/attempt.ts'
import { getSymbolicator } from '#web/get-symbolicator.ts'
import { readTimeZone } from '#web/time-zone.ts'
import type { IssueAddress } from './search-params.ts'

/** What title, status and actions of an issue need: the control database has it. */
export async function loadIssueHead(viewer: Viewer, issue: Issue) {
  const [state, assignees] = await Promise.all([findIssueState(viewer, issue), listAssignees(viewer)])
  return { viewer, issue, state, assignees }
}

export type IssueHead = Awaited<ReturnType<typeof loadIssueHead>>

type Gist = {
  head?: Promise<IssueHead>
  /** The viewer whose reads are joined. */
  joined?: Viewer
  /** Called as soon as it is known which event is shown. */
  onPlace?: ((place: EventPlace) => void) | undefined
}

/**
 * What the peek shows of an issue. Each panel waits for its part, so that the others are rendered meanwhile, and fails on its own.
 * Telemetry is asked for all of it at once (0083): the newest events, and the one to show.
 */
export async function loadIssueGist(
  given: Viewer,
  issue: Issue,
  choice: EventChoice,
  address: IssueAddress,
  { head: loadingHead = loadIssueHead(given, issue), joined: viewer = withJoinedReads(given).soon, onPlace }: Gist = {},
) {
  const filter = await resolveFilter(viewer, issue, address)
  // Known before the reads begin, so that all of them begin in one turn, and that of the event first.
  const [kept] = await Promise.all([
    choice.kind === 'recommended' ? findRecommended(viewer, issue, filter) : null,
    haveSent(viewer, 'spans'),
  ])
  const event = attempt('event', loadEvent(viewer, issue, choice, { filter, kept, onPlace }))
  const counts = attempt('counts', loadCounts(viewer, issue, filter))
  const activity = attempt('activity', listIssueActivity(viewer, issue))
  const shares = attempt('tag shares', listTagShares(viewer, issue, filter))
  const head = await loadingHead
  const finding = isAboutAll(filter) ? attempt('finding', findFinding()) : null
  markSeenLater(viewer, issue)
  return { ...head, filter, activity, counts, shares, event, finding }

  async function findFinding() {
    const [shown, entries] = await Promise.all([event, activity])
    const insight = shown.ok && shown.value ? explainReact(shown.value.event.data)?.kind : null
    return findIssueFinding(viewer, issue, {
      filter,
      state: head.state,
      activity: entries.ok ? entries.value : [],
      insight: insight === 'skew' || insight === 'hydration' ? insight : null,
    })
  }
}

/** A sentence about all events would be wrong above some of them. A range that ends now has the newest ones. */
const isAboutAll = ({ from, to, environment, terms = [] }: IssueAddress['filter']): boolean =>
  from === undefined && to === undefined && environment === undefined && terms.length === 0

/** After the page is sent: nobody waits for it. */
export function markSeenLater(viewer: Viewer, issue: Issue): void {
  const { control, clock } = getRuntime()
  afterResponse(() =>
    markIssueSeen(
      { db: control.db, actor: `user:${viewer.user.id}`, now: clock.now },
      { userId: viewer.user.id, issueId: issue.id },
    ),
  )
}

export type IssueGist = Awaited<ReturnType<typeof loadIssueGist>>

/** Everything the issue page shows. What surrounds the event is read with it, if digest has kept which one is recommended. */
export async function loadIssue(viewer: Viewer, issue: Issue, choice: EventChoice, address: IssueAddress) {
  const { soon: joined, late } = withJoinedReads(viewer)
  const onPlace = (place: EventPlace) => readAroundEvent(late, issue, place)
  const [gist, mentionable, groups] = await Promise.all([
    loadIssueGist(viewer, issue, choice, address, { joined, onPlace }),
    listMentionable(viewer),
    listIssueGroups(viewer, issue),
  ])
  return { ...gist, mentionable, groups }
}

export type LoadedIssue = Awaited<ReturnType<typeof loadIssue>>

/** The filter as its queries take it. */
export async function resolveFilter(viewer: Viewer, issue: Issue, { filter }: IssueAddress): Promise<IssueEventFilter> {
  return { ...filter, terms: await resolveTerms(viewer, filter.terms ?? [], [issue.projectId]) }
}

/** How often the issue was seen, with the releases that began in that time. */
async function loadCounts(viewer: Viewer, issue: Issue, filter: IssueAddress['filter']) {
  const counts = await countIssue(viewer, issue, filter)
  return { ...counts, marks: await listReleaseMarks(viewer, issue.projectId, counts.bars) }
}

type EventOptions = { filter: IssueAddress['filter']; kept: EventPlace | null } & Pick<Gist, 'onPlace'>

async function loadEvent(viewer: Viewer, issue: Issue, choice: EventChoice, options: EventOptions) {
  const shown = await findShownEvent(viewer, issue, choice, { ...options, within: 'issue' })
  if (!shown) return null
  const { event } = shown
  const picked = attempt('neighbors', shown.picked)
  const stored = { projectId: issue.projectId, data: event.data, zone: (await readTimeZone()).zone }
  // If source maps can't be read, show the stored stack instead of nothing.
  const read = await attempt('stacks', readStacks(viewer, getSymbolicator(), stored))
  return { event, picked, stacks: read.ok ? read.value : { data: event.data, advice: [] } }
}

export type ShownEvent = NonNullable<Awaited<ReturnType<typeof loadEvent>>>

type Query = Readonly<Record<string, string | string[] | undefined>>
/** The rest of the URL after the issue id. */
type Onward = { rest?: string; query?: Query }

/**
 * The issue in the URL. A short id and a merged issue redirect to the surviving issue, with the rest of the URL. The redirect is
 * temporary because a merge can be undone. Null if the issue doesn't exist or belongs to another organization.
 */
export async function findAddressedIssue(
  viewer: Viewer,
  issueId: string,
  { rest = '', query = {} }: Onward = {},
): Promise<Issue | null> {
  const issue = await findNamedIssue(viewer, issueId)
  if (issue === null || String(issue.id) === issueId) return issue
  return redirect(`/${viewer.organization.slug}/issues/${issue.id}${rest}${formatQuery(query)}`)
}

/** By id or short id. Cached per request: the page and its title need it. */
export const findNamedIssue = cache(async (viewer: Viewer, issueId: string): Promise<Issue | null> => {
  const id = /^\d{1,15}$/.test(issueId) ? Number(issueId) : await findIssueByShortId(viewer, issueId)
  return id === null ? null : findSurvivingIssue(viewer, id)
})

function formatQuery(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value ?? []].flat().map(each => [name, each]))
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** `latest`, `oldest`, `recommended`, or an id of 32 hex digits. */
export function readChoice(eventId: string): EventChoice | null {
  if (eventId === 'latest' || eventId === 'oldest' || eventId === 'recommended') return { kind: eventId }
  return /^[0-9a-f]{32}$/.test(eventId) ? { kind: 'id', eventId } : null
}
