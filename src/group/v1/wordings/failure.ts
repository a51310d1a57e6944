/** One thing that can go wrong, and how each engine or framework puts it. Data: a new wording is a new line. */
export type Failure = {
  /**
   * In our words. A name in braces is the group of that name in the wording: `{property}`, or what is read out of a larger piece:
   * `{property}` also from `expression`, `{function}` from `callee`.
   */
  says: string
  /** Only errors of these types, where the wording alone could be anybody's. */
  onlyTypes?: readonly string[]
  /** The type it gets, where engines differ. */
  type?: string
  /** See `Said` in read-message.ts. */
  tells: 'bug' | 'kind' | 'all'
  isRecursion?: true
  wordings: readonly RegExp[]
}
