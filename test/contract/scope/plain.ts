/** JSON has no maps. */
export const plain = (value: unknown): unknown => {
  if (value instanceof Map) return plain([...value])
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
}
