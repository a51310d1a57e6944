'use server'
import { z } from 'zod'
import { commentOnIssue } from '#commands/comment-on-issue.ts'
import { projectIds } from '#queries/project-ids.ts'
import { defineAction } from '#web/define-action.ts'
import { changeInput, doneWords, runChange } from './issue-changes.ts'

const issue = z.coerce.number().int().positive()

/** One form for all that can be done with an issue: the button that was pressed says what. */
export const changeIssue = defineAction(
  { input: changeInput, may: 'issue:write' },
  async (context, input, viewer) => {
    const result = await runChange(context, input, projectIds(viewer))
    return result.ok ? { ...result, did: input.do } : result
  },
  ({ did, undo }, viewer) =>
    did === 'delete' || did === 'discard'
      ? { go: `/${viewer.organization.slug}/issues?${new URLSearchParams({ done: did, undo })}` }
      : { say: doneWords(did), undo },
)

export const submitComment = defineAction(
  { input: z.object({ issue, text: z.string() }), may: 'issue:write', faultField: 'text' },
  (context, { issue: issueId, text }, viewer) => commentOnIssue(context, { scope: projectIds(viewer), issueId, text }),
  () => ({ say: 'Your comment is there.' }),
)
