/** What is asked of a source map, and what it answers. */

/** Where a map lies: in which bundle, under which path. Enough to read it without the control database. */
export type MapRef = {
  bundleId: number
  blobKey: string
  /** The map's path inside the bundle; '' where only the minified file is known, which then names or holds its map. */
  mapPath: string
  /** The minified file's path inside the bundle; '' where only the map was uploaded. */
  minifiedPath: string
}

/** Line and column as stack traces count them, both from 1. */
export type Position = { line: number; column: number }

export type MappedFrame = {
  kind: 'mapped'
  /** The source without the folders and schemes that bundlers put before it: `app/cart/page.tsx`. */
  file: string
  /** The source as the map names it. */
  source: string
  line: number
  column: number
  /** The name of the enclosing function in the source; '' where it has none or it cannot be told. */
  functionName: string
  isInApp: boolean
  /** Null where neither the map nor the bundle holds the source. */
  context: { before: string[]; line: string; after: string[] } | null
}

export type RefusalCode =
  | 'bundle_gone'
  | 'bundle_unreadable'
  | 'file_missing'
  | 'no_map_named'
  | 'map_missing'
  | 'map_too_large'
  | 'map_unreadable'
  | 'too_many_segments'

/** Why a map could not be read; the same on every repeat. */
export type Refusal = { kind: 'refused'; code: RefusalCode }
export type Unmapped = { kind: 'no_position' } | Refusal
export type MapResult = MappedFrame | Unmapped

export const refused = (code: RefusalCode): Refusal => ({ kind: 'refused', code })
