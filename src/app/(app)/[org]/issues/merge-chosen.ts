import { z } from 'zod'
import type { CommandContext } from '#commands/command-context.ts'
import { mergeIssues } from '#commands/merge-issues.ts'
import { undoMerge } from '#commands/undo-merge.ts'
import { findMergeTarget } from '#queries/find-merge-target.ts'
import type { Viewer } from '#queries/viewer.ts'

const prefix = 'merge:'
const note = z.object({
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

/** Into the oldest of them: it has the history, and its id is the one people have linked to. */
export async function mergeChosen(context: CommandContext, viewer: Viewer, issueIds: number[]) {
  const found = await findMergeTarget(viewer, issueIds)
  if (!found.ok) return found
  const result = await mergeIssues(context, { ...found.target, issueIds })
  if (!result.ok) return result
  return {
    ok: true as const,
    changed: issueIds.length,
    undo: prefix + JSON.stringify({ ...found.target, moved: result.moved }),
  }
}

export const isMergeUndo = (undo: string): boolean => undo.startsWith(prefix)

/** The note comes back from the browser: the command moves only what is still in the target, and within the viewer's project. */
export async function undoMergeOf(context: CommandContext, viewer: Viewer, undo: string) {
  const read = note.safeParse(jsonOf(undo.slice(prefix.length)))
  if (!read.success || !viewer.projects.some(({ id }) => id === read.data.projectId))
    return { ok: false as const, code: 'undo_not_found' as const }
  const result = await undoMerge(context, read.data)
  return result.ok ? { ok: true as const, changed: read.data.moved.length } : result
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
