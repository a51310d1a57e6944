type Values = Record<string, string | number | boolean>

/** For `before` and `after` of an entry: only what differs. A value that is missing on one side is not there. */
export function changedValues(before: Values, after: Values): { before: Values; after: Values } {
  const differs = ([name]: [string, unknown]): boolean => before[name] !== after[name]
  return {
    before: Object.fromEntries(Object.entries(before).filter(differs)),
    after: Object.fromEntries(Object.entries(after).filter(differs)),
  }
}
