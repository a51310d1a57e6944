/** The location of a map: its bundle and path, enough to read it without the control database. */
export type MapRef = {
  bundleId: number
  blobKey: string
  /** The map's path inside the bundle; '' if only the minified file is known, which then references or contains its map. */
  mapPath: string
  /** The minified file's path inside the bundle; '' if only the map was uploaded. */
  minifiedPath: string
}

/** Line and column as stack traces count them, both from 1. */
export type Position = { line: number; column: number }

export type MappedFrame = {
  kind: 'mapped'
  /** The source without the folders and schemes that bundlers add: `app/cart/page.tsx`. */
  file: string
  /** The source as the map names it. */
  source: string
  line: number
  column: number
  /** The enclosing function in the source; '' if it is anonymous or unknown. */
  functionName: string
  isInApp: boolean
  /** Null if neither the map nor the bundle contains the source. */
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

/** Why a map can't be used; the same on every retry. */
export type Refusal = { kind: 'refused'; code: RefusalCode }
export type Unmapped = { kind: 'no_position' } | Refusal
export type MapResult = MappedFrame | Unmapped

export const refused = (code: RefusalCode): Refusal => ({ kind: 'refused', code })
