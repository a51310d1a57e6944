import { CircleAlert, CirclePlay, Image } from 'lucide-react'
import { type FeedbackPage, type FeedbackRow, feedbackPerPage } from '#domain/feedback/list-feedback.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { Link } from '#ui/link.tsx'
import { shorten, showHidden } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import styles from './feedback.module.css'
import { nameWriter } from './name-writer.ts'
import { type FeedbackParams, feedbackHref } from './search-params.ts'

type Props = {
  organizationSlug: string
  params: FeedbackParams
  page: FeedbackPage
  openId: number | undefined
  now: number
}

const maxChars = 280

export function FeedbackList({ organizationSlug, params, page, openId, now }: Props) {
  const { rows, total, isCut } = page
  const position = (params.page - 1) * feedbackPerPage
  return (
    <>
      <ul className={styles.rows} aria-label="Feedback">
        {rows.map(row => (
          <li key={row.id}>
            <Row
              row={row}
              href={feedbackHref(organizationSlug, params, {}, row.id)}
              isOpen={row.id === openId}
              now={now}
            />
          </li>
        ))}
      </ul>
      {total > rows.length ? (
        <footer className="lfoot">
          <span>
            {position + 1}–{position + rows.length} of {formatWhole(total)}
            {isCut ? '; older ones with a shorter time range' : ''}
          </span>
          <span className="pages">
            {params.page > 1 ? (
              <Link
                className="btn s"
                rel="prev"
                href={feedbackHref(organizationSlug, params, { page: params.page - 1 })}
              >
                Previous page
              </Link>
            ) : null}
            {position + rows.length < total ? (
              <Link
                className="btn s"
                rel="next"
                href={feedbackHref(organizationSlug, params, { page: params.page + 1 })}
              >
                Next page
              </Link>
            ) : null}
          </span>
        </footer>
      ) : null}
    </>
  )
}

function Row({ row, href, isOpen, now }: { row: FeedbackRow; href: string; isOpen: boolean; now: number }) {
  const { report, reports } = row
  const marks = [
    ...(row.hasPicture ? [{ Icon: Image, label: 'has a screenshot' }] : []),
    ...(report?.replayId ? [{ Icon: CirclePlay, label: 'has a replay' }] : []),
    ...(report?.errorId ? [{ Icon: CircleAlert, label: 'is about an error' }] : []),
  ]
  return (
    <Link className={styles.row} href={href} data-seen={row.isSeen} aria-current={isOpen ? 'true' : undefined}>
      <span className={styles.who}>
        {row.isSeen ? null : <span className={styles.dot} role="img" aria-label="unread" />}
        <span className="cut">
          {report ? nameWriter(report) : row.shortId}
          {reports > 1 ? <span className={styles.more}> and {reports - 1} more</span> : null}
        </span>
        <span className={styles.when}>
          <Ago at={report?.at ?? row.lastSeen} now={now} suffix="" />
        </span>
      </span>
      <span className={styles.words}>{shorten(report?.message || row.title, maxChars)}</span>
      <span className={styles.where}>
        {report?.route ? <span className="mono cut">{showHidden(report.route)}</span> : null}
        {marks.map(({ Icon, label }) => (
          <Icon key={label} className="i" role="img" aria-label={label} />
        ))}
        {row.assignee ? <span className="cut">{row.assignee.name || row.assignee.email}</span> : null}
      </span>
    </Link>
  )
}
