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

/** What could be read is told with the faults too: a half-typed search is drawn as far as it goes. */
export type ParsedSearch = { ok: true; terms: SearchTerm[] } | { ok: false; faults: SearchFault[]; terms: SearchTerm[] }
