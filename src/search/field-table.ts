/** What a key of the search language is about, which decides the values it takes. */
export type FieldKind =
  | 'state'
  | 'person'
  | 'level'
  | 'priority'
  | 'text'
  | 'count'
  | 'moment'
  | 'age'
  | 'has'
  | 'event'
  | 'tag'
  | 'duration'
  | 'spanState'
  | 'status'
  | 'place'
  | 'attribute'

/** The keys that one list knows, in the order in which they are suggested. Any other key is of the kind `other`. */
export type FieldTable = {
  fields: Readonly<Record<string, { kind: FieldKind; says: string }>>
  other: FieldKind
}

/** `timesseen` is `timesSeen`: nobody remembers capitals. A tag keeps its spelling. */
export function fieldKey(typed: string, { fields }: FieldTable): string {
  const wanted = typed.toLowerCase()
  return Object.keys(fields).find(key => key.toLowerCase() === wanted) ?? typed
}

export function fieldKind(key: string, { fields, other }: FieldTable): FieldKind {
  return (Object.hasOwn(fields, key) ? fields[key]?.kind : undefined) ?? other
}
