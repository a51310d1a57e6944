import type { Viewer } from '#domain/access/viewer.ts'
import { listLogs } from '#domain/logs/list-logs.ts'
import type { LogFilter } from '#domain/logs/log-condition.ts'
import { readTailStart } from '#domain/logs/tail/tail-position.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { attempt } from '#web/attempt.ts'
import { viewPage } from './line-view.ts'
import { LiveTail } from './live-tail.tsx'
import { ColumnHeads } from './log-parts.tsx'
import { keptParams, type LogParams, logsHref } from './search-params.ts'

type Props = { viewer: Viewer; filter: LogFilter; params: LogParams }

/** The newest lines, and those that arrive from now on. */
export async function LiveLines({ viewer, filter, params }: Props) {
  const { slug } = viewer.organization
  // Read before the lines: what is committed in between comes twice, and the browser knows it by its key.
  const since = await attempt('tail position', readTailStart(viewer))
  const found = await attempt('log lines', listLogs(viewer, filter, { columns: params.columns }))
  if (!since.ok || !found.ok)
    return <FailedPanel what="Log lines" reference={since.ok ? (found.ok ? '' : found.reference) : since.reference} />
  const href = logsHref(slug, params, {}, '/tail')
  return (
    <LiveTail
      key={href}
      lines={viewPage(viewer, params, found.value).lines}
      since={since.value}
      href={href}
      address={{ base: `/${slug}`, q: params.q, kept: keptParams(params) }}
      columns={params.columns}
      head={<ColumnHeads organizationSlug={slug} params={params} />}
      command={commandOf(slug, params)}
    />
  )
}

/** The search in single quotes, as a shell reads them. */
const commandOf = (organizationSlug: string, { projects, q }: LogParams): string =>
  [
    'hydrant tail',
    ...(projects.length === 1 ? [`--project ${projects[0]}`] : []),
    `--org ${organizationSlug}`,
    ...(q === '' ? [] : [`'${q.replaceAll("'", "'\\''")}'`]),
  ].join(' ')
