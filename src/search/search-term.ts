/**
 * The text between wildcards: `1.2.*` is ['1.2.', ''], a value without a wildcard is one part. Nothing downstream
 * has to know how a star is escaped.
 */
export type SearchValue = { parts: string[] }
export type Comparison = '=' | '>' | '>=' | '<' | '<='

/** Where a term stands in the typed text, so that a fault can point at it. */
type Place = { start: number; end: number }
export type TextTerm = Place & { kind: 'text'; isNegated: boolean; value: SearchValue }
export type FieldTerm = Place & {
  kind: 'field'
  key: string
  isNegated: boolean
  comparison: Comparison
  values: SearchValue[]
}
export type SearchTerm = TextTerm | FieldTerm
export type SearchFault = Place & { message: string }

export type ParsedSearch = { ok: true; terms: SearchTerm[] } | { ok: false; faults: SearchFault[] }
