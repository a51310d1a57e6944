/** A React error as people need it told: what it means, what usually causes it, what to do next. */
export type ReactErrorEntry = {
  code: number
  /** A few words, for a heading. */
  name: string
  means: string
  cause: string
  next: string
  /** What the arguments are, in order; those without a word are shown by their number. */
  args?: readonly string[]
}
