import type { Metadata } from 'next'
import { hasProjects } from '#domain/access/find-projects.ts'
import { requireViewer } from '#web/viewer.ts'
import { Panel } from '../../../panel.tsx'
import { listTitle } from '../../../title-for.ts'
import { SearchError } from '../list-head.tsx'
import { NothingHere } from '../nothing-here.tsx'
import { LiveLines } from './live-lines.tsx'
import { Facets, LogChart, LogLines, readCounts } from './log-parts.tsx'
import styles from './logs.module.css'
import { LogsHead } from './logs-head.tsx'
import { logsHref, readLogFilter, readLogParams } from './search-params.ts'

export const generateMetadata = ({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> =>
  listTitle(params, 'Logs')

type Props = { params: Promise<{ org: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Log lines of all projects: over time by level, by the values of their attributes, and one by one. */
export default async function LogsPage({ params: route, searchParams }: Props) {
  const viewer = await requireViewer((await route).org)
  const params = readLogParams(await searchParams)
  const { slug } = viewer.organization
  if (!hasProjects(viewer, params.projects))
    return <NothingHere organizationSlug={slug} kind="Project" name={params.projects.join(', ')} list="logs" />
  const filter = readLogFilter(viewer, params)
  const given = filter && { viewer, filter, params }
  const counts = given && !params.isLive ? readCounts(given) : null
  return (
    <>
      <LogsHead viewer={viewer} params={params} page="lines" />
      {given && params.isLive ? (
        <Panel what="Live tail">
          <div className={styles.wide}>
            <LiveLines {...given} />
          </div>
        </Panel>
      ) : given && counts ? (
        <>
          <Panel what="Lines over time">
            <LogChart {...given} counts={counts} />
          </Panel>
          <div className={styles.page}>
            <Panel what="Facets">
              <Facets {...given} counts={counts} />
            </Panel>
            <div>
              <Panel what="Log lines">
                <LogLines {...given} />
              </Panel>
            </div>
          </div>
        </>
      ) : (
        <SearchError href={logsHref(slug, params, { q: '' })} label="All log lines" />
      )}
    </>
  )
}
