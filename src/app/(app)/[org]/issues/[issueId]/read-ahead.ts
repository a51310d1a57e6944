import { recallAttachments } from '#queries/list-attachments.ts'
import { findPlaceInTrace } from '#queries/trace/find-place-in-trace.ts'
import type { LoadedIssue } from './load-issue.ts'

/** Asks for what sections further down will ask for, so that it is read while those above are drawn. They tell of failures. */
export function readAhead({ viewer, issue, event }: LoadedIssue): void {
  if (!event.ok || !event.value) return
  const found = event.value.event
  for (const asked of [findPlaceInTrace(viewer, found), recallAttachments(viewer, issue, found)])
    asked.catch(() => undefined)
}
