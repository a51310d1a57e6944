import type { SearchTerm, SearchValue } from './search-term.ts'

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
