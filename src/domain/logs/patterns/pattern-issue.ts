/** The issue of a pattern (0078): made once, from the newest line, when somebody asks for it. */

import type { Viewer } from '#domain/access/viewer.ts'
import { hashParts } from '#grouping/fingerprint.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import { clipText } from '#lib/text.ts'
import { fieldTerm } from '#search/search-term.ts'
import { findLog, type LogDetails } from '../find-log.ts'
import { patternText } from '../line-pattern.ts'
import { listLogs } from '../list-logs.ts'

const mark = 'log pattern'
/** Names the pattern on the event, so that its page leads to the lines. */
export const patternTag = 'log.pattern'

/** The hash that digest computes for the fingerprint below. */
export const patternHash = (id: string): string => hashParts([mark, id].map(value => ({ kind: 'fingerprint', value })))

export type PatternIssue = { id: number; shortId: string }

/** The issues of patterns, by the id of the pattern. */
export async function listPatternIssues(viewer: Viewer, ids: readonly string[]): Promise<Map<string, PatternIssue>> {
  const byHash = new Map(ids.map(id => [patternHash(id), id]))
  const found = new Map<string, PatternIssue>()
  const hashes = [...byHash.keys()]
  for (const chunk of chunksOf(hashes))
    for (const row of await viewer.control
      .issues()
      .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
      .innerJoin('project', 'project.id', 'issue.project_id')
      .select(['issue.id', 'issue.number', 'project.slug', 'issue_hash.group_hash'])
      .where('issue_hash.group_hash', 'in', chunk)
      .orderBy('issue.id')
      .execute()) {
      const id = byHash.get(row.group_hash)
      if (id !== undefined && !found.has(id))
        found.set(id, { id: row.id, shortId: `${row.slug.toUpperCase()}-${row.number}` })
    }
  return found
}

const keptMs = 90 * 86_400_000

/** The newest line of some patterns with everything that is stored of it; null if none is kept. */
export async function findNewestLine(viewer: Viewer, ids: readonly string[]): Promise<LogDetails | null> {
  const filter = { terms: [fieldTerm('pattern', [...ids])], rangeMs: keptMs }
  const [line] = (await listLogs(viewer, filter, { limit: 1 })).lines
  return line ? findLog(viewer, line) : null
}

const levels: Readonly<Record<string, string>> = { trace: 'debug', warn: 'warning' }
const maxChars = 8_000

/** The event that stands for a pattern: a message with the pattern's words, about the request of its newest line. */
export function patternEvent(line: LogDetails, patternId: string, eventId: string) {
  return {
    event_id: eventId,
    timestamp: line.atUs / 1_000_000,
    platform: 'other',
    level: levels[line.level] ?? line.level,
    logentry: { message: patternText(line) || '(empty)' },
    fingerprint: [mark, patternId],
    tags: { [patternTag]: patternId },
    ...(line.route ? { transaction: line.route } : {}),
    ...(line.environment ? { environment: line.environment } : {}),
    ...(line.release ? { release: line.release } : {}),
    ...(line.serverName ? { server_name: line.serverName } : {}),
    ...(line.userId ? { user: { id: line.userId } } : {}),
    contexts: {
      ...(line.traceId ? { trace: { trace_id: line.traceId, ...(line.spanId ? { span_id: line.spanId } : {}) } } : {}),
      ...(line.replayId ? { replay: { replay_id: line.replayId } } : {}),
    },
    extra: { line: clipText(line.body, maxChars) },
    // Whoever asks for the issue is not the user of the app.
    sdk: { name: 'hydrant.logs', settings: { infer_ip: 'never' } },
  }
}
