'use server'
import { z } from 'zod'
import { maxIssuesAtOnce } from '#commands/issue-target.ts'
import { mayDo } from '#commands/permissions.ts'
import { undoChange } from '#commands/undo-change.ts'
import { listMatchingIds } from '#queries/list-issues.ts'
import { projectIds } from '#queries/project-ids.ts'
import type { Viewer } from '#queries/viewer.ts'
import { defineAction } from '#web/define-action.ts'
import { runChanges } from './[issueId]/issue-changes.ts'
import { bulkInput, bulkWords } from './bulk-input.ts'
import { changeVerbs, undoableVerbs } from './change-fields.ts'
import { isMergeUndo, mergeChosen, undoMergeOf } from './merge-chosen.ts'
import { readFilter } from './read-filter.ts'
import { readIssueParams } from './search-params.ts'

/** One form for all that can be done with the selected issues: the button that was pressed says what. */
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
    return result.ok ? { ...result, verb } : result
  },
  ({ verb, changed, undo }) => ({ say: bulkWords(verb, changed), ...(undo ? { undo } : {}) }),
)

/** Everything the list would show on all its pages. One more than may be changed: then the command refuses, and says so. */
async function allThatMatch(viewer: Viewer, list: string): Promise<number[]> {
  const read = readFilter(viewer, {
    ...readIssueParams(Object.fromEntries(new URLSearchParams(list))),
    after: undefined,
  })
  return read.ok ? listMatchingIds(viewer, read.filter, maxIssuesAtOnce + 1) : []
}

export const undoIssueChanges = defineAction(
  // Which change it was stands in the database, so the command asks whether this one may be undone.
  {
    input: z.object({ undo: z.string().max(200_000) }),
    verb: { among: undoableVerbs, chosen: ({ undo }) => (isMergeUndo(undo) ? 'issue.merge' : null) },
  },
  async (context, { undo }, viewer) => {
    if (isMergeUndo(undo)) return undoMergeOf(context, viewer, undo)
    return undoChange(context, { scope: projectIds(viewer), undo, mayDo: verb => mayDo(viewer.role, verb) })
  },
  ({ changed }) => ({ say: changed > 0 ? 'Undone.' : 'Nothing was left to undo: it has been changed since.' }),
)
