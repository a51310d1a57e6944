/** A parameter of the URL with a value that the page doesn't know. Its default stands in for it. */
export type IgnoredParam = { name: string; value: string }

/**
 * The parameters that were given and not understood. `understood` has each parameter that the page knows, as the URL would spell what it
 * was read as; undefined if it was not.
 */
export const listIgnored = (
  raw: Record<string, unknown>,
  understood: Record<string, string | number | undefined>,
): IgnoredParam[] =>
  Object.entries(understood).flatMap(([name, value]) => {
    const given = raw[name]
    if (given === undefined || given === '' || (value !== undefined && given === String(value))) return []
    return [{ name, value: String([given].flat().join(',')) }]
  })
