'use server'
import { z } from 'zod'
import { mayDo } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { projectIds } from '#domain/access/viewer.ts'
import { maxIssuesAtOnce } from '#domain/issues/commands/change-issues.ts'
import { undoChange } from '#domain/issues/commands/undo-change.ts'
import { listIssuesOfChange } from '#domain/issues/list-issue-activity.ts'
import { listMatchingIds } from '#domain/issues/list-issues.ts'
import { defineAction } from '#web/define-action.ts'
import { runChanges } from './[issueId]/issue-changes.ts'
import { bulkInput, bulkResult, changeVerbs, describeChange, undoableVerbs } from './bulk-input.ts'
import { isMergeUndo, mergeChosen, undoMergeOf } from './merge-chosen.ts'
import { readFilter, readIssueParams } from './search-params.ts'

/** One form for all bulk changes; the pressed button names the change. */
export const changeIssues = defineAction(
  { input: bulkInput, verb: { among: changeVerbs, chosen: ({ do: verb }) => `issue.${verb}` } },
  async (context, { do: verb, with: terms, issues, all, list }, viewer) => {
    const issueIds = all ? await allThatMatch(viewer, list) : issues
    if (issueIds.length === 0) return { ok: false as const, code: 'nothing_selected' as const }
    const target = { scope: projectIds(viewer), issueIds }
    const result =
      verb === 'merge'
        ? await mergeChosen(context, viewer, issueIds)
        : await runChanges(context, { do: verb, with: terms }, target)
    return result.ok ? { ...result, verb, terms } : result
  },
  ({ verb, terms, changed, undo }) => ({ say: bulkResult(verb, terms, changed), ...(undo ? { undo } : {}) }),
)

/** All issues that match the list's filter. Asks for one more than the limit, so that the command can reject too many. */
async function allThatMatch(viewer: Viewer, list: string): Promise<number[]> {
  const params = readIssueParams(Object.fromEntries(new URLSearchParams(list)))
  const read = readFilter(viewer, { ...params, after: undefined })
  // A filter that is only understood in part would match more.
  return read.ok && !params.ignored?.length ? listMatchingIds(viewer, read.filter, maxIssuesAtOnce + 1) : []
}

export const undoIssueChanges = defineAction(
  // The database knows which change it was, so the command checks the permission itself.
  {
    input: z.object({ undo: z.string().max(200_000) }),
    verb: { among: undoableVerbs, chosen: ({ undo }) => (isMergeUndo(undo) ? 'issue.merge' : null) },
  },
  async (context, { undo }, viewer) => {
    if (isMergeUndo(undo)) return undoMergeOf(context, viewer, undo)
    const result = await undoChange(context, {
      scope: projectIds(viewer),
      undo,
      mayDo: verb => mayDo(viewer.role, verb),
    })
    if (!result.ok) return result
    const issueIds = result.changed === 0 ? [] : await listIssuesOfChange(viewer, undo)
    return { ok: true as const, kind: result.kind, issueIds }
  },
  ({ kind, issueIds }) => ({
    say:
      issueIds.length > 0
        ? `Undone: ${describeChange(kind, issueIds.length)}.`
        : 'Nothing to undo: the issue has changed since.',
    issues: issueIds,
  }),
)
