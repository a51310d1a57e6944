'use server'
import { z } from 'zod'
import { projectIds } from '#domain/access/viewer.ts'
import { deleteComment, editComment, restoreComment } from '#domain/issues/commands/change-comment.ts'
import { commentOnIssue } from '#domain/issues/commands/comment-on-issue.ts'
import { linkTicket, unlinkTicket } from '#domain/issues/commands/link-ticket.ts'
import { defineAction } from '#web/define-action.ts'
import { formId } from '#web/form-number.ts'
import { changeVerbs } from '../bulk-input.ts'
import { mergeNamed, unmerge } from '../merge-chosen.ts'
import { changeInput, doneWords, runChanges } from './issue-changes.ts'

const issue = formId

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

const comment = formId

export const saveComment = defineAction(
  { input: z.object({ issue, comment, text: z.string() }), verb: 'issue.comment', faultField: 'text' },
  (context, { issue: issueId, comment: commentId, text }, viewer) =>
    editComment(context, { scope: projectIds(viewer), issueId, commentId, text }),
  () => ({ say: 'Comment saved.' }),
)

export const removeComment = defineAction(
  { input: z.object({ issue, comment }), verb: 'issue.comment' },
  (context, { issue: issueId, comment: commentId }, viewer) =>
    deleteComment(context, { scope: projectIds(viewer), issueId, commentId }),
  ({ undo }) => ({ say: 'Comment deleted.', undo }),
)

export const undoRemoveComment = defineAction(
  { input: z.object({ undo: z.string().max(100) }), verb: 'issue.comment' },
  (context, { undo }, viewer) => restoreComment(context, { scope: projectIds(viewer), undo }),
  () => ({ say: 'Comment restored.' }),
)

export const submitTicket = defineAction(
  { input: z.object({ issue, url: z.string(), title: z.string().default('') }), verb: 'issue.link', faultField: 'url' },
  (context, { issue: issueId, url, title }, viewer) =>
    linkTicket(context, { scope: projectIds(viewer), issueId, url, title }),
  () => ({ say: 'Ticket linked.' }),
)

export const removeTicket = defineAction(
  { input: z.object({ issue, ticket: formId }), verb: 'issue.unlink' },
  (context, { issue: issueId, ticket: ticketId }, viewer) =>
    unlinkTicket(context, { scope: projectIds(viewer), issueId, ticketId }),
  () => ({ say: 'Ticket unlinked.' }),
)

/** Moves one group of events back out of a merged issue. */
export const unmergeGroup = defineAction(
  { input: z.object({ issue, group: z.string().regex(/^\d{1,3}:[0-9a-z]{1,64}$/) }), verb: 'issue.unmerge' },
  (context, { issue: issueId, group }, viewer) => unmerge(context, viewer, issueId, group),
  ({ undo }) => ({ say: 'Unmerged into its own issue.', undo }),
)
