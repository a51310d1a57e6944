import type { Metadata } from 'next'
import { hasProjects } from '#domain/access/find-projects.ts'
import { requireViewer } from '#web/viewer.ts'
import { Panel } from '../../../../panel.tsx'
import { listTitle } from '../../../../title-for.ts'
import { SearchError } from '../../list-head.tsx'
import { NothingHere } from '../../nothing-here.tsx'
import { LogsHead } from '../logs-head.tsx'
import { logsHref, readLogFilter, readLogParams } from '../search-params.ts'
import { PatternTable } from './pattern-table.tsx'

export const generateMetadata = ({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> =>
  listTitle(params, 'Log patterns')

type Props = { params: Promise<{ org: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Many lines as a few patterns: what is written how often, what is new, and what became more. */
export default async function PatternsPage({ params: route, searchParams }: Props) {
  const viewer = await requireViewer((await route).org)
  const params = { ...readLogParams(await searchParams), isLive: false }
  const { slug } = viewer.organization
  if (!hasProjects(viewer, params.projects))
    return <NothingHere organizationSlug={slug} kind="Project" name={params.projects.join(', ')} list="logs" />
  const filter = readLogFilter(viewer, params)
  return (
    <>
      <LogsHead viewer={viewer} params={params} page="patterns" />
      {filter ? (
        <Panel what="Patterns">
          <PatternTable viewer={viewer} filter={filter} params={params} />
        </Panel>
      ) : (
        <SearchError href={logsHref(slug, params, { q: '' })} label="All log lines" />
      )}
    </>
  )
}
