import type { Viewer } from '#domain/access/viewer.ts'
import { listCachedAttachments } from '#domain/events/list-attachments.ts'
import type { EventPlace } from '#domain/events/recommended-event.ts'
import { listEventLines } from '#domain/logs/find-log.ts'
import { findSpanPosition } from '#domain/traces/find-span-position.ts'
import type { Issue } from './find-issue.ts'

/** Starts what the sections of an event read, in one turn. The sections get it from the cache, and report what failed. */
export function readAroundEvent(viewer: Viewer, issue: Issue, event: EventPlace): void {
  for (const query of [
    findSpanPosition(viewer, event),
    listCachedAttachments(viewer, issue, event),
    listEventLines(viewer, event),
  ])
    query.catch(() => undefined)
}
