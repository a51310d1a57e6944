import type { SearchValue } from '#search/search-term.ts'

/** A value with wildcards as a LIKE pattern, with a backslash before what LIKE would take for its own. */
export function likePattern({ parts }: SearchValue): string {
  return parts.map(part => part.replace(/[\\%_]/g, '\\$&')).join('%')
}

/** Words are looked for anywhere. */
export const containsPattern = (value: SearchValue): string => `%${likePattern(value)}%`
