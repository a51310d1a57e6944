/** A page to open. The server sends these. */
export type PaletteLink = {
  id: string
  label: string
  /** The kind of entry, in a word or two. */
  note?: string
  href: string
}

/** A page to open or a command to run. `keys` shows its keyboard shortcut. */
export type PaletteEntry = {
  id: string
  group: 'This page' | 'Go to' | 'Action'
  label: string
  note?: string | undefined
  keys?: string | undefined
} & ({ href: string } | { run: () => void })
