'use server'
import { z } from 'zod'
import { projectIds } from '#domain/access/viewer.ts'
import { commentOnIssue } from '#domain/issues/commands/comment-on-issue.ts'
import { defineAction } from '#web/define-action.ts'
import { changeVerbs } from '../bulk-input.ts'
import { mergeNamed, unmerge } from '../merge-chosen.ts'
import { changeInput, doneWords, runChanges } from './issue-changes.ts'

const issue = z.coerce.number().int().positive()

/** One form for all changes to an issue; the pressed button names the change. */
export const changeIssue = defineAction(
  { input: changeInput, verb: { among: changeVerbs, chosen: ({ do: verb }) => `issue.${verb}` } },
  async (context, { do: verb, with: terms, issue: issueId, into }, viewer) => {
    const target = { scope: projectIds(viewer), issueIds: [issueId] }
    const result =
      verb === 'merge'
        ? await mergeNamed(context, viewer, issueId, into)
        : await runChanges(context, { do: verb, with: terms }, target)
    return result.ok ? { ...result, did: verb } : result
  },
  ({ did, undo }, viewer) =>
    did === 'delete' || did === 'discard'
      ? { go: `/${viewer.organization.slug}/issues?${new URLSearchParams({ done: did, undo })}` }
      : { say: doneWords(did), undo },
)

export const submitComment = defineAction(
  { input: z.object({ issue, text: z.string() }), verb: 'issue.comment', faultField: 'text' },
  (context, { issue: issueId, text }, viewer) => commentOnIssue(context, { scope: projectIds(viewer), issueId, text }),
  () => ({ say: 'Comment added.' }),
)

/** Moves one group of events back out of a merged issue. */
export const unmergeGroup = defineAction(
  { input: z.object({ issue, group: z.string().regex(/^\d{1,3}:[0-9a-z]{1,64}$/) }), verb: 'issue.unmerge' },
  (context, { issue: issueId, group }, viewer) => unmerge(context, viewer, issueId, group),
  ({ undo }) => ({ say: 'Unmerged into its own issue.', undo }),
)
