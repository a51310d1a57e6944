import { hash } from 'node:crypto'
import type { CommandContext } from '#domain/access/command-context.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { findNewestLine, listPatternIssues, patternEvent } from '#domain/logs/patterns/pattern-issue.ts'
import { listProjectKeys } from '#domain/projects/project-keys.ts'
import { sendOwnEvent } from './send-own-event.ts'

type Result =
  | { ok: true /** Null while the event waits to be digested. */; issueId: number | null }
  | { ok: false; code: 'line_not_found' | 'no_active_key' | 'issue_not_created' }

const digestMs = 10_000
const pollMs = 150

/** The issue of a pattern, which is made if there is none: an event with its newest line takes the way of all others (0078). */
export async function createPatternIssue(
  context: CommandContext,
  viewer: Viewer,
  patternIds: readonly string[],
): Promise<Result> {
  const find = async () => [...(await listPatternIssues(viewer, patternIds)).values()][0]?.id ?? null
  const known = await find()
  if (known !== null) return { ok: true, issueId: known }
  const line = await findNewestLine(viewer, patternIds)
  const [patternId = ''] = patternIds
  if (!line) return { ok: false, code: 'line_not_found' }
  const { projectId } = line
  const key = (await listProjectKeys(viewer, projectId)).find(({ isActive }) => isActive)
  if (!key) return { ok: false, code: 'no_active_key' }
  // A second click sends the same event, which is stored once.
  const event = patternEvent(line, patternId, hash('md5', `log pattern ${projectId} ${patternId} ${line.id}`))
  const isSent = await sendOwnEvent({ projectId, publicKey: key.publicKey, event }).catch(() => false)
  if (!isSent) return { ok: false, code: 'issue_not_created' }
  await writeAudit(context, {
    organizationId: viewer.organization.id,
    action: 'issue.create',
    target: `pattern:${patternId}`,
    detail: { project: projectId },
  })
  for (const until = Date.now() + digestMs; Date.now() < until; ) {
    const issueId = await find()
    if (issueId !== null) return { ok: true, issueId }
    await new Promise(resolve => setTimeout(resolve, pollMs))
  }
  return { ok: true, issueId: null }
}
