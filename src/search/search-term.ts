/**
 * The text between wildcards: `1.2.*` is ['1.2.', ''], a value without a wildcard is one part. So only the parser has to
 * know how a star is escaped.
 */
export type SearchValue = { parts: string[] }
export type Comparison = '=' | '>' | '>=' | '<' | '<='

/** Offsets in the typed text, so that a fault can point at its term. */
type TextRange = { start: number; end: number }
type TextTerm = TextRange & { kind: 'text'; isNegated: boolean; value: SearchValue }
export type FieldTerm = TextRange & {
  kind: 'field'
  key: string
  isNegated: boolean
  comparison: Comparison
  values: SearchValue[]
}
export type SearchTerm = TextTerm | FieldTerm
export type SearchFault = TextRange & { message: string }

/** Faults come with the terms that could be read, so that the search box can draw a half-typed search. */
export type ParsedSearch = { ok: true; terms: SearchTerm[] } | { ok: false; faults: SearchFault[]; terms: SearchTerm[] }

type UnplacedTerm = SearchTerm extends infer Term
  ? Term extends SearchTerm
    ? Omit<Term, 'start' | 'end'>
    : never
  : never

/** Terms as text, for links that add or remove one. Parsing the text gives the same terms. */
export function formatSearch(terms: readonly UnplacedTerm[]): string {
  return terms.map(formatTerm).join(' ')
}

function formatTerm(term: UnplacedTerm): string {
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
