/** Channels with what waits for them. Sentry has nothing like it: the shape is ours. */
import { type ListedChannel, listChannels } from '#domain/channels/list-channels.ts'
import type { ApiHandler } from '../api-call.ts'
import { listResponse } from '../pages.ts'

export const getChannels: ApiHandler = async ({ request, search, viewer }) =>
  listResponse(request, search, await listChannels(viewer), {
    idOf: ({ id }) => String(id),
    serialize: serialize(viewer.now),
  })

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
