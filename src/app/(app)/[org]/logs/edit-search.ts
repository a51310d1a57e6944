/** Searches with one value more or less, for links of facets and attributes. */

import { logFields } from '#search/log-fields.ts'
import { parseSearch } from '#search/parse-search.ts'
import { fieldKey } from '#search/search-fields.ts'
import { languageOf } from '#search/search-language.ts'
import { type FieldTerm, fieldTerm, formatSearch, type SearchTerm } from '#search/search-term.ts'
import { levelsOf } from '#search/severity-levels.ts'

const language = languageOf(logFields)

const isOf = (term: SearchTerm, key: string): term is FieldTerm => term.kind === 'field' && term.key === key

/** The search with another condition; one that it already has, or its opposite, is replaced. */
export function withTerm(text: string, key: string, value: string, isNegated: boolean): string {
  const parsed = parseSearch(text, language)
  const own = fieldKey(key, logFields)
  const added = { ...fieldTerm(own, [value]), isNegated }
  const same = formatSearch([fieldTerm(own, [value])])
  const others = (parsed.ok ? parsed.terms : []).filter(
    term => !(isOf(term, own) && formatSearch([{ ...term, isNegated: false }]) === same),
  )
  return formatSearch([...others, added])
}

/** The values of a field that the search asks for; `level:>=warn` names three. */
export function chosenValues(text: string, key: string): string[] {
  const parsed = parseSearch(text, language)
  const terms = parsed.ok ? parsed.terms.filter(term => isOf(term, key) && !term.isNegated) : []
  return terms.flatMap(term => (term.kind === 'field' ? valuesOf(term) : []))
}

const valuesOf = (term: FieldTerm): string[] =>
  term.key === 'level'
    ? levelsOf(term)
    : term.comparison === '='
      ? term.values.flatMap(({ parts }) => (parts.length === 1 ? [parts[0] ?? ''] : []))
      : []

/** The search with a value of a facet chosen, or no longer. Several values of one field are alternatives. */
export function withFacetValue(text: string, key: string, value: string): string {
  const parsed = parseSearch(text, language)
  const chosen = chosenValues(text, key)
  const next = chosen.includes(value) ? chosen.filter(each => each !== value) : [...chosen, value]
  const others = (parsed.ok ? parsed.terms : []).filter(term => !(isOf(term, key) && !term.isNegated))
  return formatSearch([...others, ...(next.length === 0 ? [] : [fieldTerm(key, next)])])
}
