/** Whether a text, or one anywhere in a JSON value, has the character U+0000, which PostgreSQL can't store or compare. */
export function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, each]) => key.includes('\0') || hasNul(each))
}

export const nulDetail = 'The request contains the character U+0000. Leave it out.'
