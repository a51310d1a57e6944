import { mayDo } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import type { LogFilter } from '#domain/logs/log-condition.ts'
import { placeholder } from '#domain/logs/mask-text.ts'
import { findLastDeploy } from '#domain/logs/patterns/find-last-deploy.ts'
import { type LogPattern, type LogPatterns, listPatterns, type Since } from '#domain/logs/patterns/list-patterns.ts'
import { listPatternIssues, type PatternIssue } from '#domain/logs/patterns/pattern-issue.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { clipText } from '#lib/text.ts'
import { logFields } from '#search/log-fields.ts'
import { parseSearch } from '#search/parse-search.ts'
import { languageOf } from '#search/search-language.ts'
import { type FieldTerm, fieldTerm, formatSearch } from '#search/search-term.ts'
import { Blank, FailedPanel } from '#ui/blank.tsx'
import { DataTable, numeric } from '#ui/data-table.tsx'
import { formatCount, formatMany, formatRate } from '#ui/format.ts'
import { Level } from '#ui/level.tsx'
import { Link } from '#ui/link.tsx'
import { shorten, showHidden } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import { attempt } from '#web/attempt.ts'
import { readTimeZone } from '#web/time-zone.ts'
import { newMetricHref } from '../../alerts/rules/new-metric.ts'
import { inTime, lengthOf } from '../../list-params.ts'
import { type LogParams, logsHref } from '../search-params.ts'
import { PatternActions } from './pattern-actions.tsx'
import styles from './patterns.module.css'

type Props = { viewer: Viewer; filter: LogFilter; params: LogParams }

const shown = 100
const maxIds = 50 // of a joined pattern, in a link: a search can have 200 values

export async function PatternTable({ viewer, filter, params }: Props) {
  const deploy = await attempt('last deploy', findLastDeploy(viewer, filter))
  const since = deploy.ok ? deploy.value : null
  const found = await attempt('log patterns', listPatterns(viewer, { ...filter, after: undefined }, since))
  if (!found.ok) return <FailedPanel what="Patterns" reference={found.reference} />
  const { patterns, total, older } = found.value
  const rows = patterns.slice(0, shown)
  const known = await attempt(
    'issues of patterns',
    listPatternIssues(
      viewer,
      rows.flatMap(({ ids }) => ids.slice(0, maxIds)),
    ),
  )
  const issues = known.ok ? known.value : new Map<string, PatternIssue>()
  const { slug } = viewer.organization
  const { zone } = await readTimeZone()
  if (patterns.length === 0)
    return (
      <Blank
        title={`No patterns ${inTime(params, zone)}`}
        actions={
          <Link className="btn" href={logsHref(slug, params)}>
            Show log lines
          </Link>
        }
      >
        {older > 0
          ? `${formatMany(older, 'line')} were stored before Hydrant counted patterns.`
          : 'No log line matches the search.'}
      </Blank>
    )
  return (
    <div className={styles.page}>
      <p className={styles.finding}>{describe(found.value, since)}</p>
      <DataTable
        label="Patterns"
        look={styles.patterns ?? ''}
        columns={[
          { label: 'Level', isHidden: true },
          'Pattern',
          'Trend',
          numeric('Lines'),
          numeric('Share'),
          'Change',
          numeric('Last seen'),
          { label: 'Actions', isHidden: true },
        ]}
      >
        {rows.map(pattern => (
          <PatternRow key={pattern.ids[0]} {...{ viewer, pattern, total, since, params, issues }} />
        ))}
      </DataTable>
      <p className="t3">
        {patterns.length > shown ? `The ${shown} most frequent of ${formatCount(patterns.length)}. ` : ''}
        Patterns are the templates of the SDK where it sends them; other lines are grouped by their text without values.
        Counts are exact.
        {older > 0 ? ` ${formatMany(older, 'line')} stored before Hydrant counted patterns are left out.` : ''}
      </p>
    </div>
  )
}

/** `7,611 lines are 31 patterns. Three did not exist before web@4.18.2.` */
function describe({ patterns, total }: LogPatterns, since: Since | null): string {
  const fresh = patterns.filter(({ isNew }) => isNew).length
  const first = `${formatMany(total, 'line')} ${total === 1 ? 'is' : 'are'} ${formatMany(patterns.length, 'pattern')}.`
  if (!since) return first
  const rest = fresh === 0 ? 'None is new' : fresh === 1 ? 'One did not exist before' : `${fresh} did not exist before`
  return `${first} ${rest}${fresh === 0 ? ' since' : ''} ${shorten(since.release, 80)}.`
}

type RowProps = {
  viewer: Viewer
  pattern: LogPattern
  total: number
  since: Since | null
  params: LogParams
  issues: ReadonlyMap<string, PatternIssue>
}

function PatternRow({ viewer, pattern, total, since, params, issues }: RowProps) {
  const { slug } = viewer.organization
  const { ids, text, level, count, trend, lastAt } = pattern
  const own = fieldTerm('pattern', ids.slice(0, maxIds))
  const { terms } = parseSearch(params.q, languageOf(logFields))
  const name = clipText(text, 200)
  const issue = ids.map(id => issues.get(id)).find(Boolean)
  const withTerm = (isNegated: boolean) => formatSearch([...terms, { ...own, isNegated }])
  return (
    <tr>
      <td className={styles.level}>
        <Level level={level} />
      </td>
      <td className={styles.text}>
        <Link href={logsHref(slug, params, { q: withTerm(false) })} aria-label={`Lines of ${name}`}>
          <Text text={text} />
        </Link>
        {issue ? (
          <>
            {' '}
            <Link className="link" href={`/${slug}/issues/${issue.id}`}>
              {issue.shortId}
            </Link>
          </>
        ) : null}
      </td>
      <td className={styles.bars}>
        <Trend counts={trend} isBad={level === 'error' || level === 'fatal'} />
      </td>
      <td className={`num ${styles.lines}`}>{formatWhole(count)}</td>
      <td className={`num ${styles.share}`}>{formatRate(total === 0 ? 0 : count / total)}</td>
      <td className={styles.change}>{describeChange(pattern, since)}</td>
      <td className={`num ${styles.last}`}>
        <Ago at={lastAt} now={viewer.now} />
      </td>
      <td className={styles.more}>
        <div className={styles.acts}>
          <Link
            className="link"
            href={logsHref(slug, params, { q: withTerm(true) }, '/patterns')}
            aria-label={`Hide ${name}`}
          >
            Hide
          </Link>
          <PatternActions
            organizationSlug={slug}
            name={name}
            ids={ids.slice(0, maxIds)}
            alertHref={mayDo(viewer.role, 'rule.create') ? alertHref(slug, pattern, own, params) : null}
            issue={
              issue
                ? { href: `/${slug}/issues/${issue.id}`, shortId: issue.shortId }
                : mayDo(viewer.role, 'issue.create')
                  ? 'none'
                  : null
            }
          />
        </div>
      </td>
    </tr>
  )
}

const alertWindowMs = 5 * 60_000

/** A rule that tells when there are twice as many lines as there were on average. */
const alertHref = (slug: string, { text, count }: LogPattern, term: FieldTerm, params: LogParams): string =>
  newMetricHref(slug, {
    name: clipText(text, 60),
    metric: 'logs',
    query: formatSearch([term]),
    above: Math.max(1, Math.ceil((2 * count * alertWindowMs) / lengthOf(params))),
    minutes: alertWindowMs / 60_000,
    project: params.projects.length === 1 ? params.projects[0] : undefined,
    environment: params.environment,
  })

/** The values of a pattern are marked, the rest is what was written. */
function Text({ text }: { text: string }) {
  const parts = showHidden(clipText(text, 500)).split(placeholder)
  return (
    <bdi>
      {parts.map((part, index) => (
        <span key={index}>
          {index === 0 ? null : <mark>…</mark>}
          {part}
        </span>
      ))}
    </bdi>
  )
}

const notable = 2 // times as many, or half as many

function describeChange({ isNew, count, countBefore }: LogPattern, since: Since | null) {
  if (isNew && since) return <span className={styles.fresh}>New in {shorten(since.release, 40)}</span>
  if (countBefore === 0) return <span className="t3">–</span>
  const factor = count / countBefore
  if (factor >= notable)
    return <span className="bad">Up {factor < 10 ? factor.toFixed(1) : formatCount(Math.round(factor))}×</span>
  if (factor <= 1 / notable) return <span className="t2">Down {formatRate(1 - factor)}</span>
  return <span className="t3">–</span>
}

const height = 18
const unit = 5

function Trend({ counts, isBad }: { counts: number[]; isBad: boolean }) {
  const max = Math.max(1, ...counts)
  return (
    <svg
      className={styles.trend}
      data-bad={isBad || undefined}
      viewBox={`0 0 ${counts.length * unit} ${height}`}
      role="img"
      aria-label={`At most ${formatWhole(max)} lines in a ${counts.length}th of the time`}
    >
      {counts.map((count, index) => {
        const tall = count === 0 ? 1 : Math.max(2, (count / max) * height)
        return <rect key={index} x={index * unit} y={height - tall} width={unit - 1} height={tall} />
      })}
    </svg>
  )
}
