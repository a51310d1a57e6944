import { z } from 'zod'
import type { CommandContext } from '#domain/access/command-context.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { type MergeIssues, mergeIssues, unmergeIssues } from '#domain/issues/commands/merge-issues.ts'
import { undoMerge } from '#domain/issues/commands/undo-change.ts'
import { findGroupLooks } from '#domain/issues/find-group-look.ts'
import { findIssue, findIssueByShortId, findMergeTarget } from '#domain/issues/find-issue.ts'
import { jsonOf } from '#lib/json-value.ts'
import { attempt } from '#web/attempt.ts'

const mergePrefix = 'merge:'
const unmergePrefix = 'unmerge:'
const mergeUndo = z.object({
  projectId: z.number().int(),
  targetIssueId: z.number().int(),
  moved: z.array(
    z.object({
      projectId: z.number(),
      version: z.number(),
      hash: z.string(),
      issueId: z.number(),
      homeId: z.number().nullable(),
    }),
  ),
})

const unmergeUndo = z.object({
  projectId: z.number().int(),
  targetIssueId: z.number().int(),
  issueIds: z.array(z.number().int()).max(500),
})

/** Merges into the oldest issue: it has the history, and its id is the one that others link to. */
export async function mergeChosen(context: CommandContext, viewer: Viewer, issueIds: number[]) {
  const found = await findMergeTarget(viewer, issueIds)
  return found.ok ? merge(context, { ...found.target, issueIds }) : found
}

/** Merges the named issue into the open one, so that the page stays where it is. */
export async function mergeNamed(context: CommandContext, viewer: Viewer, issueId: number, shortId: string) {
  const [issue, other] = await Promise.all([findIssue(viewer, issueId), findIssueByShortId(viewer, shortId)])
  if (!issue || !other) return { ok: false as const, code: 'merge_not_found' as const }
  return merge(context, { projectId: issue.projectId, targetIssueId: issue.id, issueIds: [other] })
}

async function merge(context: CommandContext, wanted: MergeIssues) {
  const result = await mergeIssues(context, wanted)
  if (!result.ok) return result
  const { projectId, targetIssueId } = wanted
  return {
    ok: true as const,
    changed: new Set([targetIssueId, ...wanted.issueIds]).size,
    undo: mergePrefix + JSON.stringify({ projectId, targetIssueId, moved: result.moved }),
  }
}

/** `group` is a grouping version and a hash. */
export async function unmerge(context: CommandContext, viewer: Viewer, issueId: number, group: string) {
  const issue = await findIssue(viewer, issueId)
  if (!issue) return { ok: false as const, code: 'issue_not_found' as const }
  const [version, hash = ''] = group.split(':')
  const { projectId } = issue
  const looks = await attempt('title of a group', findGroupLooks(viewer, issue, [hash]))
  const look = looks.ok ? (looks.value.get(hash) ?? null) : null
  const result = await unmergeIssues(context, {
    projectId,
    issueId,
    hashes: [{ version: Number(version), hash }],
    look,
  })
  if (!result.ok) return result
  const issueIds = [...result.revivedIssueIds, ...(result.newIssueId === null ? [] : [result.newIssueId])]
  return { ok: true as const, undo: unmergePrefix + JSON.stringify({ projectId, targetIssueId: issueId, issueIds }) }
}

export const isMergeUndo = (undo: string): boolean => undo.startsWith(mergePrefix) || undo.startsWith(unmergePrefix)

/** The undo text comes from the browser and is untrusted: only groups still in the target move, within the viewer's project. */
export async function undoMergeOf(context: CommandContext, viewer: Viewer, undo: string) {
  if (undo.startsWith(unmergePrefix)) return undoUnmerge(context, viewer, undo)
  const read = mergeUndo.safeParse(jsonOf(undo.slice(mergePrefix.length)))
  if (!read.success || !viewer.projects.some(({ id }) => id === read.data.projectId))
    return { ok: false as const, code: 'undo_not_found' as const }
  const result = await undoMerge(context, read.data)
  return result.ok
    ? { ok: true as const, kind: 'merged', issueIds: [...new Set(read.data.moved.map(({ issueId }) => issueId))] }
    : result
}

async function undoUnmerge(context: CommandContext, viewer: Viewer, undo: string) {
  const read = unmergeUndo.safeParse(jsonOf(undo.slice(unmergePrefix.length)))
  if (!read.success || !viewer.projects.some(({ id }) => id === read.data.projectId))
    return { ok: false as const, code: 'undo_not_found' as const }
  const result = await mergeIssues(context, read.data)
  return result.ok ? { ok: true as const, kind: 'unmerged', issueIds: [read.data.targetIssueId] } : result
}
