import type { Notification } from '#domain/alerts/notifications.ts'
import { Blank } from '#ui/blank.tsx'
import { formatMany } from '#ui/format.ts'
import { Level } from '#ui/level.tsx'
import { Link } from '#ui/link.tsx'
import { shorten } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import styles from './notifications.module.css'

/** Of a summary, named in the list; the link has the others. */
const maxLines = 5

const levels = { critical: 'error', warning: 'warning', info: 'info' } as const

export function NotificationList({ notifications, now }: { notifications: Notification[]; now: number }) {
  if (notifications.length === 0)
    return (
      <div className="pane">
        <Blank title="Nothing yet">
          New, returning and escalating issues appear here as they happen, without any rule.
        </Blank>
      </div>
    )
  return (
    <ul className={styles.list} aria-label="Notifications">
      {notifications.map(({ id, title, href, reason, at, isRead, projectSlug, severity, lines, more, rest }) => {
        const others = Math.max(0, lines.length - maxLines) + (rest.length > 0 ? 0 : more)
        return (
          <li key={id} className={isRead ? undefined : styles.unread}>
            <Level level={levels[severity]} />
            <div>
              <h2>
                <Link href={href}>{shorten(title, 200)}</Link>
                {isRead ? null : <span className="sr"> (unread)</span>}
              </h2>
              <span className="t3">
                {projectSlug === '' ? '' : `${projectSlug} · `}
                {shorten(reason, 200)}
              </span>
              {lines.length === 0 ? null : (
                <ul className={styles.lines}>
                  {lines.slice(0, maxLines).map(line => (
                    <li key={line.href}>
                      <Link href={line.href}>{shorten(line.title, 120)}</Link>
                    </li>
                  ))}
                </ul>
              )}
              {others > 0 ? <p className={styles.rest}>and {formatMany(others, 'other')}</p> : null}
              {rest.map(line => (
                <p key={line} className={styles.rest}>
                  {line}
                </p>
              ))}
            </div>
            <span className="t3">
              <Ago at={at} now={now} />
            </span>
          </li>
        )
      })}
    </ul>
  )
}
