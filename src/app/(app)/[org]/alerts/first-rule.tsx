import type { RulePreview } from '#domain/alerts/preview-rule.ts'
import { ruleConfig } from '#domain/alerts/rule.ts'
import { formatMany } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import styles from './alerts.module.css'
import { RuleDays } from './rule-days.tsx'

/** Rules that most teams begin with. */
export const offers = [
  {
    id: 'new',
    name: 'New issue',
    words: 'An error was seen for the first time',
    config: ruleConfig.parse({ when: ['new-issue'] }),
  },
  {
    id: 'back',
    name: 'Issue came back',
    words: 'A resolved issue was seen again, or an issue escalates',
    config: ruleConfig.parse({ when: ['regression', 'escalation'] }),
  },
  {
    id: 'many',
    name: 'Many users affected',
    words: 'More than 50 users of one issue in an hour',
    config: ruleConfig.parse({ counts: [{ of: 'users', above: 50, withinMs: 3_600_000 }] }),
  },
] as const

type Props = { organizationSlug: string; previews: (RulePreview | null)[]; mayWrite: boolean }

export function FirstRule({ organizationSlug, previews, mayWrite }: Props) {
  return (
    <section className={styles.first}>
      <div>
        <h2>No rules yet</h2>
        <p className="t2">
          Members already see new, returning and escalating issues at the bell. A rule sends them to a channel as well.
          The counts are from your last 14 days, so you can see how often each rule would have sent a message.
        </p>
      </div>
      <ul className={styles.offers}>
        {offers.map(({ id, name, words }, index) => {
          const preview = previews[index]?.lanes[0] ?? null
          return (
            <li key={id}>
              <div>
                <strong>{name}</strong>
                <br />
                <span className="t3">{words}</span>
              </div>
              {preview === null ? null : (
                <>
                  <RuleDays days={preview.days} label={formatMany(preview.total, 'message')} />
                  <span className="t2">{formatMany(preview.total, 'time')}</span>
                </>
              )}
              {mayWrite ? (
                <Link className="btn s" href={`/${organizationSlug}/alerts/rules/new?like=${id}`}>
                  Use<span className="sr"> {name}</span>
                </Link>
              ) : null}
            </li>
          )
        })}
      </ul>
      <p className="t2">
        Rules also live in a file: <code>hydrant alerts apply alerts.yaml --org {organizationSlug}</code>
      </p>
    </section>
  )
}
