import type { Viewer } from '#domain/access/viewer.ts'
import { formatKeyCursor, type KeyCursor, parseKeyCursor } from '#domain/events/list-filter.ts'
import { type ProfileFilter, type ProfileSort, profileSorts } from '#domain/profiles/list-profiles.ts'
import { spanFields } from '#search/span-fields.ts'
import { readListFilter } from '../list-filter.ts'
import { defineList, type ListParams } from '../list-params.ts'

/** The list's parameters in the URL. */
export type ProfileParams = ListParams<ProfileSort, KeyCursor>

export const {
  read: readProfileParams,
  kept: keptParams,
  href: profilesHref,
} = defineList({
  path: 'profiles',
  defaultQuery: '',
  sorts: profileSorts,
  parseCursor: text => parseKeyCursor(text, 16),
  formatCursor: formatKeyCursor,
})

export const readProfileFilter = (viewer: Viewer, params: ProfileParams): ProfileFilter | null =>
  readListFilter(viewer, params, spanFields)
