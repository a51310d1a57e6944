import type { Viewer } from '#domain/access/viewer.ts'
import { formatKeyCursor, type KeyCursor, parseKeyCursor } from '#domain/events/list-filter.ts'
import { type ReplayFilter, type ReplaySort, replaySorts } from '#domain/replays/replay-condition.ts'
import { replayFields } from '#search/replay-fields.ts'
import { readListFilter } from '../list-filter.ts'
import { defineList, type ListParams } from '../list-params.ts'

/** The list's parameters in the URL. */
export type ReplayParams = ListParams<ReplaySort, KeyCursor>

export const {
  read: readReplayParams,
  kept: keptParams,
  href: replaysHref,
} = defineList({
  path: 'replays',
  defaultQuery: '',
  sorts: replaySorts,
  parseCursor: parseKeyCursor,
  formatCursor: formatKeyCursor,
})

export const readReplayFilter = (viewer: Viewer, params: ReplayParams): ReplayFilter | null =>
  readListFilter(viewer, params, replayFields)
