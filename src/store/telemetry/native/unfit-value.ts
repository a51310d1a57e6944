/** A value that its column cannot hold: digest let something through that it should not have. */
export class UnfitValue extends Error {
  constructor(type: string, value: unknown) {
    super(`${String(value).slice(0, 100)} is no ${type}`)
  }
}
