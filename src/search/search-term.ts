/**
 * The text between wildcards: `1.2.*` is ['1.2.', ''], a value without a wildcard is one part. So only the parser has to
 * know how a star is escaped.
 */
export type SearchValue = { parts: string[] }
export type Comparison = '=' | '>' | '>=' | '<' | '<='

/** Offsets in the typed text, so that a fault can point at its term. */
export type TextRange = { start: number; end: number }
export type TextTerm = TextRange & { kind: 'text'; isNegated: boolean; value: SearchValue }
export type FieldTerm = TextRange & {
  kind: 'field'
  key: string
  isNegated: boolean
  comparison: Comparison
  values: SearchValue[]
}
/**
 * Terms in parentheses, or around an OR: `every` of them must hold, or `some`. The parser returns one form of each meaning: a group
 * has at least two members, and a member that is a group of the same kind is always negated.
 */
export type SearchGroup = TextRange & {
  kind: 'group'
  match: 'every' | 'some'
  isNegated: boolean
  of: SearchTerm[]
}
export type SearchTerm = TextTerm | FieldTerm | SearchGroup
export type SearchFault = TextRange & { message: string }

/**
 * `terms` are joined by AND. Faults come with the terms that could be read, so that the search box can draw a half-typed search.
 */
export type ParsedSearch = { ok: true; terms: SearchTerm[] } | { ok: false; faults: SearchFault[]; terms: SearchTerm[] }

/** The terms within groups too, in the order of the text. */
export function leavesOf(terms: readonly SearchTerm[]): (TextTerm | FieldTerm)[] {
  return terms.flatMap(term => (term.kind === 'group' ? leavesOf(term.of) : [term]))
}

export const fieldsOf = (terms: readonly SearchTerm[]): FieldTerm[] =>
  leavesOf(terms).filter(term => term.kind === 'field')

/** A term as another program makes it: its place in a text does not matter. */
export type UnplacedTerm =
  | Omit<TextTerm, keyof TextRange>
  | Omit<FieldTerm, keyof TextRange>
  | (Omit<SearchGroup, keyof TextRange | 'of'> & { of: readonly UnplacedTerm[] })

/** A condition that no search has typed: it has no place in the text. */
export const fieldTerm = (key: string, values: readonly string[]): FieldTerm => ({
  kind: 'field',
  key,
  isNegated: false,
  comparison: '=',
  values: values.map(value => ({ parts: [value] })),
  start: 0,
  end: 0,
})

/** Terms as text, for links that add or remove one. Parsing the text gives the same terms. */
export function formatSearch(terms: readonly UnplacedTerm[]): string {
  const [only] = terms
  if (terms.length === 1 && only?.kind === 'group' && only.match === 'some' && !only.isNegated)
    return formatMembers(only)
  return terms.map(formatTerm).join(' ')
}

const formatMembers = ({ match, of }: Extract<UnplacedTerm, { kind: 'group' }>): string =>
  of.map(formatTerm).join(match === 'some' ? ' OR ' : ' ')

function formatTerm(term: UnplacedTerm): string {
  const sign = term.isNegated ? '!' : ''
  if (term.kind === 'group') return `${sign}(${formatMembers(term)})`
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

/** Free text with a colon would read as a key, and `OR` as a word of the language. */
function formatText(value: SearchValue): string {
  const text = value.parts.map(escapeText).join('*')
  return text.includes(':') || text === 'OR' || text === 'AND' ? `"${text}"` : formatValue(value)
}

const escapeText = (text: string) => text.replace(/["\\*]/g, '\\$&')
