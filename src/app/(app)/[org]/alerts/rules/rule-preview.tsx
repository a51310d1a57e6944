import type { RulePreview } from '#domain/alerts/preview-rule.ts'
import { formatMany } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { shorten } from '#ui/shorten.ts'
import { Moment } from '#ui/time/moment.tsx'
import styles from '../alerts.module.css'
import { RuleDays } from '../rule-days.tsx'

type Props = { preview: RulePreview | null; organizationSlug: string }

const looks = { critical: styles.critical, warning: styles.warn, info: styles.info }

/** What the rule would have sent in the last two weeks. */
export function RulePreviewPanel({ preview, organizationSlug }: Props) {
  return (
    <section className={styles.preview} aria-live="polite" aria-label="Preview">
      <h2>Preview</h2>
      {preview === null ? (
        <p className="t2">
          Preview runs the rule over the last 14 days of real data and shows each message that it would have sent.
        </p>
      ) : (
        <>
          <p>
            <strong>
              {preview.total === 0
                ? 'Would have sent nothing in the last 14 days.'
                : `Would have sent ${formatMany(preview.total, 'message')} in the last 14 days.`}
            </strong>
          </p>
          {preview.total === 0 ? null : (
            <>
              <RuleDays days={preview.days} label={`${formatMany(preview.total, 'message')} in 14 days`} />
              <ul className={styles.messages} aria-label="Messages it would have sent">
                {preview.messages.map(({ at, title, detail, severity, issueId, others }) => (
                  <li key={`${at} ${issueId} ${title}`}>
                    <Moment at={at} />
                    <div className={`${styles.card} ${looks[severity]}`}>
                      {issueId === null ? (
                        <span>{shorten(title, 160)}</span>
                      ) : (
                        <Link href={`/${organizationSlug}/issues/${issueId}`}>{shorten(title, 160)}</Link>
                      )}
                      <p>
                        {shorten(detail, 200)}
                        {others > 0 ? `, and ${formatMany(others, 'other')} in the same message` : ''}
                      </p>
                    </div>
                  </li>
                ))}
              </ul>
              {preview.total > preview.messages.length ? (
                <p className="t3">and {formatMany(preview.total - preview.messages.length, 'older message')}</p>
              ) : null}
            </>
          )}
        </>
      )}
    </section>
  )
}
