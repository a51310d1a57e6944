/** Something one can go to or do. `keys` is printed, so that the faster way is learnt. */
export type PaletteEntry = {
  id: string
  group: 'Here' | 'Go to' | 'Do'
  label: string
  /** What it is about, in a word or two. */
  note?: string
  keys?: string
} & ({ href: string } | { press: string })
