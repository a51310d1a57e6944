/** A page to open. The server sends these. */
export type PaletteLink = {
  id: string
  label: string
  /** The kind of entry, in a word or two. */
  note?: string
  href: string
  shortcut?: string
}

/** Something that was found in stored data. */
export type PaletteResult = {
  id: string
  group: 'Issue' | 'Route' | 'Release' | 'User'
  label: string
  note: string
  /** A second line. */
  detail?: string
  href: string
}
/** `isPartial`: a store did not respond in time. */
export type PaletteAnswer = { results: PaletteResult[]; isPartial: boolean }

/** A page to open or a command to run. */
export type PaletteEntry = {
  id: string
  group: 'This page' | 'Recent' | 'Go to' | 'Action' | PaletteResult['group']
  label: string
  note?: string | undefined
  detail?: string | undefined
  shortcut?: string | undefined
} & ({ href: string } | { run: () => void })
