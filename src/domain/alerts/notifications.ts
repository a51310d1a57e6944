/** The bell of a member: what it shows, what is read, and what they want to hear of. */

import type { CommandContext } from '#domain/access/command-context.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { type NotificationType, notificationTypes } from '#domain/channels/notification-settings.ts'
import { describeCounts, titleSummary } from '#domain/channels/worst-first.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import { headline, incidentHeadline, readIncidentNames } from './headlines.ts'
import { readStoredMessage, restOf, type SingleMessage } from './stored-message.ts'

const maxListed = 100

export type NotificationLine = { title: string; href: string }
export type Notification = {
  id: number
  at: number
  isRead: boolean
  projectSlug: string
  title: string
  reason: string
  severity: 'info' | 'warning' | 'critical'
  href: string
  /** Of a summary or a cascade: what it stands for, and how many more there are. */
  lines: NotificationLine[]
  more: number
  /** The remaining ones counted by kind, one line per kind. */
  rest: string[]
}

/** Newest first. Those about issues that are gone are left out. */
export async function listNotifications(viewer: Viewer): Promise<Notification[]> {
  const rows = await viewer.control
    .notificationsOf(viewer.user.id)
    .select(['id', 'at', 'read_at', 'message'])
    .orderBy('id', 'desc')
    .limit(maxListed)
    .execute()
  const stored = rows.flatMap(row => {
    const message = readStoredMessage(row.message)
    return message === null ? [] : [{ ...row, message }]
  })
  const all = stored.flatMap(({ message }): SingleMessage[] =>
    message.kind === 'summary' ? message.items : [message, ...othersOf(message)],
  )
  const lineOf = await readLines(viewer, all)
  return stored.flatMap(({ message, ...row }): Notification[] => {
    const { severity, reason } = message
    const projectSlug = viewer.projects.find(({ id }) => id === message.projectId)?.slug ?? ''
    const shared = { id: row.id, at: row.at, isRead: row.read_at !== null, projectSlug, severity, reason }
    if (message.kind !== 'summary') {
      const line = lineOf(message)
      const lines = othersOf(message).flatMap(other => lineOf(other) ?? [])
      return line === null
        ? []
        : [{ ...shared, ...line, lines, more: message.kind === 'issue' ? (message.more ?? 0) : 0, rest: [] }]
    }
    const named = message.items.flatMap(item => {
      const line = lineOf(item)
      return line === null ? [] : [{ ...line, type: item.type, severity: item.severity }]
    })
    const rest = restOf(message)
    const href = `/${viewer.organization.slug}/issues${projectSlug === '' ? '' : `?project=${projectSlug}`}`
    const lines = named.map(({ title, href: to }) => ({ title, href: to }))
    const title = titleSummary(named, rest)
    const told = { ...shared, title, href, lines, more: message.more, rest: describeCounts(rest, named) }
    return lines.length === 0 && message.more === 0 ? [] : [told]
  })
}

const othersOf = (message: SingleMessage): SingleMessage[] => (message.kind === 'issue' ? (message.others ?? []) : [])

/** The title and address of each message; null for what is deleted or not visible. */
export async function readLines(
  viewer: Viewer,
  messages: readonly SingleMessage[],
): Promise<(message: SingleMessage) => NotificationLine | null> {
  const base = `/${viewer.organization.slug}`
  const ids = messages.flatMap(message => (message.kind === 'issue' ? [message.issueId] : []))
  const names = await readIncidentNames(viewer, messages)
  const titles = new Map<number, string>()
  for (const chunk of chunksOf(ids))
    for (const row of await viewer.control.issues().select(['id', 'title']).where('issue.id', 'in', chunk).execute())
      titles.set(row.id, row.title)
  return message => {
    if (message.kind === 'incident') {
      const name = names.get(message.incidentId)
      const href = `${base}/alerts/incidents/${message.incidentId}`
      return name === undefined ? null : { title: incidentHeadline(message.type, name), href }
    }
    const title = titles.get(message.issueId)
    return title === undefined
      ? null
      : { title: headline(message.type, title), href: `${base}/issues/${message.issueId}` }
  }
}

/** Counted up to this: the bell says 99+. */
const mostUnread = 100

export async function countUnread(viewer: Viewer): Promise<number> {
  const rows = await viewer.control
    .notificationsOf(viewer.user.id)
    .select('id')
    .where('read_at', 'is', null)
    .limit(mostUnread)
    .execute()
  return rows.length
}

type Own = { organizationId: number; userId: string }

/** One notification, or all up to one, so that what arrives meanwhile stays unread. */
export async function readNotifications(
  { db, now }: CommandContext,
  { organizationId, userId, ...which }: Own & ({ id: number } | { upTo: number }),
): Promise<{ ok: true }> {
  await db
    .updateTable('notification')
    .set({ read_at: now() })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .$if('id' in which, query => query.where('id', '=', 'id' in which ? which.id : 0))
    .$if('upTo' in which, query => query.where('id', '<=', 'upTo' in which ? which.upTo : 0))
    .execute()
  return { ok: true }
}

export type NotificationChoice = { type: NotificationType; label: string; inApp: boolean; email: boolean }

export async function listNotificationChoices(viewer: Viewer): Promise<NotificationChoice[]> {
  const rows = await viewer.control.notificationSettingsOf(viewer.user.id).select(['type', 'in_app', 'email']).execute()
  const chosen = new Map(rows.map(row => [row.type, { inApp: row.in_app === 1, email: row.email === 1 }]))
  return (Object.keys(notificationTypes) as NotificationType[]).map(type => ({
    type,
    ...notificationTypes[type],
    ...chosen.get(type),
  }))
}

type Choices = Partial<Record<NotificationType, { inApp: boolean; email: boolean }>>

export async function saveNotificationChoices(
  { db }: CommandContext,
  { organizationId, userId, choices }: Own & { choices: Choices },
): Promise<{ ok: true }> {
  for (const [type, { inApp, email }] of Object.entries(choices)) {
    const values = { in_app: inApp ? (1 as const) : (0 as const), email: email ? (1 as const) : (0 as const) }
    await db
      .insertInto('notification_setting')
      .values({ user_id: userId, organization_id: organizationId, type, ...values })
      .onConflict(conflict => conflict.columns(['user_id', 'organization_id', 'type']).doUpdateSet(values))
      .execute()
  }
  return { ok: true }
}
