/**
 * The text between wildcards: `1.2.*` is ['1.2.', ''], a value without a wildcard is one part. Nothing downstream
 * has to know how a star is escaped.
 */
export type SearchValue = { parts: string[] }
export type Comparison = '=' | '>' | '>=' | '<' | '<='

/** Where a term stands in the typed text, so that a fault can point at it. */
type Place = { start: number; end: number }
type TextTerm = Place & { kind: 'text'; isNegated: boolean; value: SearchValue }
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

type Written = SearchTerm extends infer Term ? (Term extends SearchTerm ? Omit<Term, 'start' | 'end'> : never) : never

/** The text of terms, for links that add or take away one. Parsing it gives the same terms. */
export function formatSearch(terms: readonly Written[]): string {
  return terms.map(formatTerm).join(' ')
}

function formatTerm(term: Written): string {
  const sign = term.isNegated ? '!' : ''
  if (term.kind === 'text') return sign + formatText(term.value)
  const key = /^[A-Za-z0-9_][\w.-]*$/.test(term.key) ? term.key : `"${escapeText(term.key)}"`
  const comparison = term.comparison === '=' ? '' : term.comparison
  const [only] = term.values
  const values = term.values.length === 1 && only ? formatValue(only) : `[${term.values.map(formatValue).join(',')}]`
  return `${sign}${key}:${comparison}${values}`
}

const isPlain = (text: string) => /^[\w./@+:#%&?-]*$/.test(text)

/** A value that is only plain characters and stars needs no quotes. */
export function formatValue({ parts }: SearchValue): string {
  const text = parts.map(escapeText).join('*')
  return text !== '' && parts.every(isPlain) ? text : `"${text}"`
}

/** Free text with a colon would read as a key. */
function formatText(value: SearchValue): string {
  return value.parts.some(part => part.includes(':'))
    ? `"${value.parts.map(escapeText).join('*')}"`
    : formatValue(value)
}

const escapeText = (text: string) => text.replace(/["\\*]/g, '\\$&')
