/** A stored message as a channel shows it, with titles and counts of the moment in which it is sent. */

import type { Stores } from '#domain/access/unscoped-stores.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import type { AlertLink, AlertMessage, MessageItem } from '#domain/channels/message.ts'
import { describeCounts, titleSummary, type Weighed } from '#domain/channels/worst-first.ts'
import { findEvent } from '#domain/events/find-event.ts'
import { nameCulprit } from '#domain/events/name-culprit.ts'
import { findSurvivingIssue, type Issue } from '#domain/issues/find-issue.ts'
import { countInRange } from '#domain/issues/list/count-in-range.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { minuteInUtc, timeInWords } from '#lib/time-words.ts'
import { settleWithin } from '#lib/timing.ts'
import { describeRelease } from './describe-change.ts'
import { headline, incidentHeadline, readIncidentNames } from './headlines.ts'
import { viewOrganization } from './organization-viewer.ts'
import {
  type IncidentMessage,
  type IssueMessage,
  parseStoredMessage,
  restOf,
  type SingleMessage,
  type StoredMessage,
  type SummaryMessage,
  subjectKeyOf,
} from './stored-message.ts'

/** `message` is what was enqueued. */
type OutboxRow = { id: string; organizationId: number; message: unknown }
type Place = { viewer: Viewer; publicUrl: string }
type Rule = AlertMessage['rule']

/** Null if the issue is gone, or this version cannot read the message: there is nothing left to say. */
export async function buildMessage(
  stores: Stores,
  publicUrl: string,
  row: OutboxRow,
  now = Date.now(),
): Promise<AlertMessage | null> {
  const stored = parseStoredMessage(row.message)
  const viewer = stored && (await viewOrganization(stores, row.organizationId, now))
  return viewer ? drawMessage({ viewer, publicUrl }, stored, row.id) : null
}

async function drawMessage(place: Place, stored: StoredMessage, id: string): Promise<AlertMessage | null> {
  const parts =
    stored.kind === 'issue'
      ? await issueParts(place, stored)
      : stored.kind === 'summary'
        ? await summaryParts(place, stored)
        : await incidentParts(place, stored)
  return parts === null ? null : assemble(place, stored, { id, rule: await findRule(place, stored.ruleId), parts })
}

/** For the member who sees a preview: the rule and its incidents need not exist. */
export async function drawPreviewed(
  place: Place,
  stored: StoredMessage,
  { id, rule, incident }: { id: string; rule: Rule; incident: Omit<IncidentFacts, 'url'> | null },
): Promise<AlertMessage | null> {
  const url = `${place.publicUrl}/${place.viewer.organization.slug}/alerts/incidents`
  if (stored.kind === 'incident')
    return incident && assemble(place, stored, { id, rule, parts: describeIncident(stored, { ...incident, url }) })
  const message = await drawMessage(place, stored, id)
  return message && { ...message, rule }
}

function assemble(
  { viewer }: Place,
  { kind, type, severity, at, reason, projectId }: StoredMessage,
  { id, rule, parts }: { id: string; rule: Rule; parts: Parts },
): AlertMessage {
  const project = viewer.projects.find(each => each.id === projectId)
  const { slug, name } = viewer.organization
  return {
    id,
    kind,
    type,
    severity,
    at,
    reason,
    rule,
    organization: { slug, name },
    project: project ? { id: project.id, slug: project.slug } : null,
    ...parts,
  }
}

type Parts = Pick<
  AlertMessage,
  'subjectKey' | 'action' | 'title' | 'body' | 'culprit' | 'facts' | 'links' | 'issue' | 'items' | 'more' | 'rest'
>

async function issueParts(place: Place, stored: IssueMessage): Promise<Parts | null> {
  const { viewer, publicUrl } = place
  const issue = await findSurvivingIssue(viewer, stored.issueId)
  if (issue === null) return null
  const [recent, lastHour, firstSeen] = await Promise.all([
    readNewestEvent(viewer, issue),
    countLastHour(viewer, issue),
    describeFirst(viewer, issue),
  ])
  const { message } = splitTitle(issue.title)
  const url = `${publicUrl}/${viewer.organization.slug}/issues/${issue.id}`
  const { release, environment, route } = recent
  const isOver = stored.type === 'issue.resolved'
  return {
    subjectKey: subjectKeyOf(stored),
    action: isOver ? 'close' : 'open',
    title: headline(stored.type, issue.title),
    body: message,
    culprit: recent.culprit || issue.culprit,
    facts: [
      ...(lastHour === null ? [] : [{ label: 'Last hour', value: lastHour }]),
      { label: 'Events', value: formatWhole(issue.eventCount) },
      { label: 'Users', value: formatWhole(issue.userCount) },
      { label: 'Release', value: release },
      { label: 'Environment', value: environment },
      { label: 'Route', value: route },
      { label: 'First seen', value: firstSeen },
    ].filter(({ value }) => value !== ''),
    links: [{ label: issue.shortId, url }, ...(isOver ? [] : changeLinks(url))],
    issue: {
      id: issue.id,
      shortId: issue.shortId,
      title: issue.title,
      level: issue.level,
      firstSeen: issue.firstSeen,
      events: issue.eventCount,
      users: issue.userCount,
      release,
      environment,
      route,
    },
    items: await listLines(place, stored.others ?? []),
    more: stored.more ?? 0,
  }
}

/** `2026-03-01 10:00 UTC in web@1.4.2, 3 minutes after its deploy`. */
async function describeFirst(viewer: Viewer, { id, projectId, firstSeen }: Issue): Promise<string> {
  const first = await viewer.control
    .issueHashes()
    .select('first_release as release')
    .where('issue_id', '=', id)
    .where('first_release', '!=', '')
    .orderBy('first_seen')
    .limit(1)
    .executeTakeFirst()
  if (first === undefined) return minuteInUtc(firstSeen)
  const { release } = first
  return `${minuteInUtc(firstSeen)} in ${await describeRelease(viewer, { projectId, release, at: firstSeen })}`
}

/** Each opens a page that asks: mail scanners follow every link. */
const changeLinks = (url: string): AlertLink[] => [
  { label: 'Resolve', url: `${url}/confirm?change=resolve` },
  { label: 'Archive', url: `${url}/confirm?change=archive` },
  { label: 'Assign', url: `${url}/confirm?change=assign` },
]

function splitTitle(title: string): { type: string; message: string } {
  const at = title.indexOf(': ')
  return at <= 0 ? { type: title, message: '' } : { type: title.slice(0, at), message: title.slice(at + 2) }
}

/** Messages by their headlines; those about issues that are gone are left out. */
async function listLines({ viewer, publicUrl }: Place, messages: readonly SingleMessage[]): Promise<Line[]> {
  const base = `${publicUrl}/${viewer.organization.slug}`
  const ids = messages.flatMap(message => (message.kind === 'issue' ? [message.issueId] : []))
  const titles = new Map(
    (ids.length === 0
      ? []
      : await viewer.control.issues().select(['id', 'title']).where('issue.id', 'in', ids).execute()
    ).map(row => [row.id, row.title]),
  )
  const names = await readIncidentNames(viewer, messages)
  return messages.flatMap(message => {
    const { projectId } = message
    const { type, severity } = message
    const shared = { projectId, type, severity }
    if (message.kind !== 'issue') {
      const name = names.get(message.incidentId)
      const url = `${base}/alerts/incidents/${message.incidentId}`
      return name === undefined
        ? []
        : [{ ...shared, title: `${incidentHeadline(message.type, name)}: ${message.reason}`, url }]
    }
    const title = titles.get(message.issueId)
    return title === undefined
      ? []
      : [{ ...shared, title: headline(message.type, title), url: `${base}/issues/${message.issueId}` }]
  })
}

type Line = MessageItem & Weighed

/** Null if none of the named alerts is left, for example because the project was deleted. */
async function summaryParts(place: Place, stored: SummaryMessage): Promise<Parts | null> {
  const { viewer, publicUrl } = place
  const lines = await listLines(place, stored.items)
  if (lines.length === 0 && stored.items.length > 0) return null
  const rest = restOf(stored)
  return {
    // A pager's page of a summary is named by its key; no other message is about the same.
    subjectKey: 'summary',
    action: 'none',
    title: titleSummary(lines, rest),
    body: '',
    culprit: '',
    facts: [],
    links: [{ label: 'Issues', url: `${publicUrl}/${viewer.organization.slug}/issues` }],
    issue: null,
    items: lines.map(({ title, url, projectId }) => ({ title, url, projectId })),
    more: stored.more,
    rest: describeCounts(rest, lines),
  }
}

async function incidentParts({ viewer, publicUrl }: Place, stored: IncidentMessage): Promise<Parts | null> {
  const incident = await viewer.control
    .incidents()
    .select(['id', 'name', 'opened_at as openedAt', 'closed_at as closedAt'])
    .where('incident.id', '=', stored.incidentId)
    .executeTakeFirst()
  if (incident === undefined) return null
  const url = `${publicUrl}/${viewer.organization.slug}/alerts/incidents/${incident.id}`
  return describeIncident(stored, { ...incident, url })
}

type IncidentFacts = { name: string; openedAt: number; closedAt: number | null; url: string }

function describeIncident(stored: IncidentMessage, { name, openedAt, closedAt, url }: IncidentFacts): Parts {
  const isOver = stored.type === 'incident.closed'
  const lasted = timeInWords((closedAt ?? stored.at) - openedAt)
  return {
    subjectKey: subjectKeyOf(stored),
    action: isOver ? 'close' : 'open',
    title: incidentHeadline(stored.type, name),
    // The reason says it all.
    body: '',
    culprit: '',
    facts: [{ label: 'Since', value: minuteInUtc(openedAt) }, ...(isOver ? [{ label: 'Lasted', value: lasted }] : [])],
    links: [{ label: 'Incident', url }],
    issue: null,
    items: [],
    more: 0,
  }
}

async function findRule({ viewer, publicUrl }: Place, ruleId: number | null): Promise<Rule> {
  if (ruleId === null) return null
  const rule = await viewer.control.alertRules().select(['id', 'name']).where('id', '=', ruleId).executeTakeFirst()
  return rule ? { ...rule, url: `${publicUrl}/${viewer.organization.slug}/alerts/rules/${rule.id}` } : null
}

const hourMs = 3_600_000
/** A message without these facts is better than a late one. */
const patienceMs = 3_000
const maxHashes = 100

async function readNewestEvent(viewer: Viewer, issue: Issue) {
  const { lastEvent } = issue
  const event = lastEvent && (await settleWithin(findEvent(viewer, issue, lastEvent.eventId, lastEvent.at), patienceMs))
  const { release = '', environment = '', route = '' } = event ?? {}
  return { release, environment, route, culprit: event ? nameCulprit(event.data) : '' }
}

async function countLastHour(viewer: Viewer, issue: Issue): Promise<string | null> {
  const range = { from: viewer.now - hourMs, to: viewer.now }
  const issues = [{ ...issue, hashes: issue.hashes.slice(0, maxHashes) }]
  const counts = await settleWithin(
    countInRange(viewer, { issues, range, events: [], environment: undefined }),
    patienceMs,
  )
  const found = counts?.get(issue.id)
  if (found === undefined || found.events === 0) return null
  const events = `${formatWhole(found.events)} event${found.events === 1 ? '' : 's'}`
  return found.users === 0 ? events : `${events}, ${found.users} user${found.users === 1 ? '' : 's'}`
}
