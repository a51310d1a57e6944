import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { cacheSettled } from '#domain/cache/cached-query.ts'
import { haveSent } from '#domain/events/sent-kinds.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { pictureTypes } from '#lib/read-picture.ts'
import type { StoredEvent } from './find-event.ts'

const row = z.object({
  filename: z.string(),
  content_type: z.string(),
  attachment_type: z.string(),
  at: z.coerce.number(),
  size_bytes: z.coerce.number(),
  blob: z.string(),
})
const maxAttachments = 50

export type Attachment = {
  name: string
  filename: string
  contentType: string
  /** Sentry's word for its purpose: `event.attachment`, `event.view_hierarchy`. */
  kind: string
  sizeBytes: number
  at: number
  blob: string
}

/** The attachments of an event. `name` is unique and safe in a URL; `filename` is untrusted. */
export async function listAttachments(viewer: Viewer, issue: Issue, eventId: string): Promise<Attachment[]> {
  const rows = await viewer.telemetry.within([issue.projectId]).query({
    query: `
      SELECT filename, content_type, attachment_type, size_bytes, toUnixTimestamp64Milli(timestamp) AS at, blob
      FROM attachments
      WHERE {scope} AND event_id = toUUID({eventId:String})
      ORDER BY filename, blob
      LIMIT {limit:UInt32}`,
    params: { eventId, limit: maxAttachments },
    schema: row,
  })
  return rows.map(found => ({
    name: found.blob.split('/').at(-1) ?? '',
    filename: found.filename,
    contentType: found.content_type,
    kind: found.attachment_type,
    at: found.at,
    sizeBytes: found.size_bytes,
    blob: found.blob,
  }))
}

/** Stored by what they are since 0.2; before, the feedback widget's were stored as what it calls them. */
const shownTypes: readonly string[] = [...pictureTypes, 'application/png']

/** Whether pages try to show the file as a picture. `web/attachment-response.ts` decides by its bytes when it serves the file. */
export const isPicture = ({ contentType }: Pick<Attachment, 'contentType'>): boolean => shownTypes.includes(contentType)

/** The same for rows of `attachments`. */
export const isPictureSql = `content_type IN (${shownTypes.map(type => `'${type}'`).join(', ')})`

/** `listAttachments` with a cache, for pages. */
export const listCachedAttachments = (
  viewer: Viewer,
  issue: Issue,
  event: Pick<StoredEvent, 'event_id' | 'received_at'>,
): Promise<Attachment[]> =>
  cacheSettled(
    viewer,
    { name: ['attachments', `${issue.projectId}`, event.event_id], at: event.received_at },
    async () =>
      (await haveSent(viewer, 'attachments', [issue.projectId])) ? listAttachments(viewer, issue, event.event_id) : [],
  )
