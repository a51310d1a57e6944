import type { Viewer } from '#domain/access/viewer.ts'
import type { ListedLine, LogPage } from '#domain/logs/list-logs.ts'
import { lineAddress } from '#domain/logs/log-line.ts'
import { clipText } from '#lib/text.ts'
import { showHidden } from '#ui/shorten.ts'
import { type LogParams, logsHref } from './search-params.ts'

/** A line as the browser gets it. `key` is its address. */
export type LineView = {
  key: string
  /** Milliseconds since 1970. */
  at: number
  level: string
  body: string
  isCut: boolean
  side: string
  project: string
  traceId: string
  cells: string[]
}
export type PageView = { lines: LineView[]; more: string | null }

const cellChars = 200

export function viewLine(line: ListedLine, projectSlug: string): LineView {
  return {
    key: lineAddress(line),
    at: line.atUs / 1_000,
    level: line.level,
    body: showHidden(line.body),
    isCut: line.chars > [...line.body].length,
    side: line.side,
    project: projectSlug,
    traceId: line.traceId,
    cells: line.cells.map(cell => showHidden(clipText(cell, cellChars))),
  }
}

/** A page of lines, and where the next one is fetched. */
export function viewPage(viewer: Viewer, params: LogParams, { lines, next }: LogPage): PageView {
  const slugs = new Map(viewer.projects.map(({ id, slug }) => [id, slug]))
  return {
    lines: lines.map(line => viewLine(line, slugs.get(line.projectId) ?? '')),
    more: next ? logsHref(viewer.organization.slug, params, { after: next }, '/lines') : null,
  }
}
