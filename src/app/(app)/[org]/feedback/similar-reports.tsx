import { formatMany } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { shorten } from '#ui/shorten.ts'
import { Moment } from '#ui/time/moment.tsx'
import styles from './feedback.module.css'

export type ListedReport = {
  id: string
  who: string
  message: string
  at: number
  /** Its own page; null for one of the same issue. */
  href: string | null
}

/** What others wrote: the same words, or about the same error. */
export function SimilarReports({
  reports,
  title = 'Similar messages',
}: {
  reports: readonly ListedReport[]
  title?: string
}) {
  if (reports.length === 0) return null
  return (
    <section className={styles.similar}>
      <h2 className="h">
        {title} <span className="t3">{formatMany(reports.length, 'message')}</span>
      </h2>
      <ul>
        {reports.map(({ id, who, message, at, href }) => (
          <li key={id}>
            <span className="cut">{who}</span>
            <span className={styles.quote}>
              {href === null ? shorten(message, 300) : <Link href={href}>{shorten(message, 300)}</Link>}
            </span>
            <span className="t3">
              <Moment at={at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
