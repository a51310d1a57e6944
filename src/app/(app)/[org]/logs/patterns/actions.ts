'use server'
import { z } from 'zod'
import { createPatternIssue } from '#web/create-pattern-issue.ts'
import { defineAction } from '#web/define-action.ts'

const input = z.object({
  patterns: z
    .string()
    .regex(/^[0-9a-f]{16}(?:,[0-9a-f]{16}){0,19}$/)
    .transform(text => text.split(',')),
})

export const makePatternIssue = defineAction(
  { input, verb: 'issue.create' },
  (context, { patterns }, viewer) => createPatternIssue(context, viewer, patterns),
  ({ issueId }, viewer) =>
    issueId === null
      ? { say: 'The issue is on its way: it is in the list in some moments.' }
      : { go: `/${viewer.organization.slug}/issues/${issueId}` },
)
