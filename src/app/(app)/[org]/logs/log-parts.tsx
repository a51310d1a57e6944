import type { Viewer } from '#domain/access/viewer.ts'
import { listTagNames } from '#domain/issues/list-search-values.ts'
import { countLogs, facetKeys, isNarrowed } from '#domain/logs/count-logs.ts'
import { listLogs } from '#domain/logs/list-logs.ts'
import type { LogFilter } from '#domain/logs/log-condition.ts'
import { clipText } from '#lib/text.ts'
import { Blank, FailedPanel } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'
import { LevelBars } from '#ui/logs/level-bars.tsx'
import { shorten } from '#ui/shorten.ts'
import { attempt } from '#web/attempt.ts'
import { readTimeZone } from '#web/time-zone.ts'
import { inTime, lengthOf } from '../list-params.ts'
import { WhyNothing } from '../search/why-nothing.tsx'
import { viewPage } from './line-view.ts'
import { LogFacets } from './log-facets.tsx'
import styles from './logs.module.css'
import { PagedList } from './paged-list.tsx'
import { keptParams, type LogParams, logsHref } from './search-params.ts'

type Props = { viewer: Viewer; filter: LogFilter; params: LogParams }

/** Counted once for the chart and the facets. */
export const readCounts = ({ viewer, filter, params }: Props) =>
  attempt('log counts', countLogs(viewer, { ...filter, after: undefined }, [...facetKeys, ...params.facets]))

type Counted = Awaited<ReturnType<typeof readCounts>>

export async function LogChart({ viewer, params, counts }: Props & { counts: Promise<Counted> }) {
  const found = await counts
  if (!found.ok) return <FailedPanel what="Lines over time" reference={found.reference} />
  const { total, levels, from, to, stepMs } = found.value
  if (total === 0) return null // the list already says that there are no lines
  const [path = '', search = ''] = logsHref(viewer.organization.slug, params).split('?')
  return <LevelBars {...{ from, to, stepMs, levels, path, search }} />
}

/** Names that are in use are in an hour; all of a month would cost as much as the counts. */
const namesMs = 3_600_000

export async function Facets({ viewer, filter, params, counts }: Props & { counts: Promise<Counted> }) {
  const [found, names] = await Promise.all([
    counts,
    attempt('attribute names', listTagNames(viewer, 'logs', { ...filter, rangeMs: Math.min(filter.rangeMs, namesMs) })),
  ])
  if (!found.ok) return <FailedPanel what="Facets" reference={found.reference} />
  return (
    <LogFacets
      organizationSlug={viewer.organization.slug}
      params={params}
      facets={found.value.facets}
      names={names.ok ? names.value.slice(0, 50).map(({ value }) => value) : []}
    />
  )
}

const dayMs = 86_400_000

export async function LogLines({ viewer, filter, params }: Props) {
  const { slug } = viewer.organization
  const found = await attempt('log lines', listLogs(viewer, filter, { columns: params.columns }))
  if (!found.ok) return <FailedPanel what="Log lines" reference={found.reference} />
  const { lines, next } = found.value
  if (lines.length === 0)
    return (
      <>
        <NoLines viewer={viewer} params={params} filter={filter} />
        <WhyNothing
          viewer={viewer}
          language="logs"
          text={params.q}
          filter={filter}
          hrefOf={q => logsHref(slug, params, { q })}
        />
      </>
    )
  const page = viewPage(viewer, params, found.value)
  const here = logsHref(slug, params, { after: params.after })
  return (
    <>
      <ColumnHeads organizationSlug={slug} params={params} />
      <PagedList
        key={`${here} ${page.lines[0]?.key}`}
        first={page}
        olderHref={next ? logsHref(slug, params, { after: next }) : null}
        address={{ base: `/${slug}`, q: params.q, kept: keptParams(params) }}
        columns={params.columns}
        hasDate={lengthOf(params) > dayMs}
      />
    </>
  )
}

export function ColumnHeads({ organizationSlug, params }: { organizationSlug: string; params: LogParams }) {
  const { columns } = params
  return (
    <div
      className={styles.head}
      style={{ '--columns': `repeat(${columns.length}, minmax(0, var(--column)))` } as React.CSSProperties}
    >
      <span>Time and message</span>
      {columns.map(name => (
        <span key={name}>
          <span className="cut">{shorten(name, 40)}</span>
          <Link
            href={logsHref(organizationSlug, params, { columns: columns.filter(each => each !== name) })}
            aria-label={`Hide the column ${name}`}
            scroll={false}
          >
            ×
          </Link>
        </span>
      ))}
      <span>Trace</span>
    </div>
  )
}

/** Says why the list is empty and offers the next step. */
async function NoLines({ viewer, params, filter }: Props) {
  const { slug } = viewer.organization
  const { zone } = await readTimeZone()
  const go = (label: string, change: Partial<LogParams>, look = 'btn') => (
    <Link className={look} href={logsHref(slug, params, change)}>
      {label}
    </Link>
  )
  const isPlain = !isNarrowed(filter) && params.projects.length === 0
  const isLongest = !params.span && (params.range === '30d' || params.range === '90d')
  const first = viewer.projects.find(({ isInternal }) => !isInternal)
  return (
    <Blank
      title={`No log lines ${inTime(params, zone)}`}
      actions={
        <>
          {isLongest ? null : go('Search last 30 days', { range: '30d', span: undefined }, 'btn primary')}
          {isPlain ? (
            <Link className="btn" href={first ? `/${slug}/projects/${first.slug}` : `/${slug}/projects`}>
              Set up the SDK
            </Link>
          ) : (
            go('All log lines', { q: '', environment: undefined, projects: [] })
          )}
        </>
      }
    >
      {isPlain
        ? 'Apps send log lines from the browser, the server and the edge. SDKs before 11 need enableLogs: true in Sentry.init.'
        : `No line matches ${clipText(params.q, 200) || 'these filters'}.`}
    </Blank>
  )
}
