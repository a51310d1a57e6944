/** Channels with what waits for them. Sentry has nothing like it: the shape is ours. */
import { type ListedChannel, listChannels } from '#domain/channels/list-channels.ts'
import type { ApiHandler } from '../api-call.ts'
import { pageResponse, readPage } from '../pages.ts'

export const getChannels: ApiHandler = async ({ request, search, viewer }) => {
  const page = readPage(search)
  if (page instanceof Response) return page
  const channels = await listChannels(viewer)
  return pageResponse(
    request,
    page,
    channels.slice(page.offset, page.offset + page.limit + 1).map(serialize(viewer.now)),
  )
}

/** Nothing of its settings: an address or an answer may be a secret. */
const serialize =
  (now: number) =>
  ({ id, name, kind, project, condition, waiting, dead, sent }: ListedChannel) => ({
    id: String(id),
    name,
    kind,
    project,
    state: condition,
    waiting: {
      messages: waiting.count,
      oldestSince: waiting.since === null ? null : new Date(waiting.since).toISOString(),
      oldestSeconds: waiting.since === null ? null : Math.max(0, Math.round((now - waiting.since) / 1_000)),
    },
    givenUp: dead,
    sentIn14Days: sent,
  })
