/** A page to open or a button to press. `keys` shows its keyboard shortcut. */
export type PaletteEntry = {
  id: string
  group: 'This page' | 'Go to' | 'Action'
  label: string
  /** The kind of entry, in a word or two. */
  note?: string
  keys?: string
} & ({ href: string } | { press: string })
