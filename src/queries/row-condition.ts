import { routeParts } from '#lens/route.ts'
import type { FieldTerm, SearchValue } from '#search/search-term.ts'
import type { Bind } from './issue-list/bound-params.ts'
import { likePattern } from './issue-list/like-pattern.ts'

type Names = Readonly<Record<string, string>>

/** How a table answers to the keys of a search: columns by key, what `has:` may ask, and the map in which any other key is looked up. */
export type RowShape = { columns: Names; presences: Names; map: string }

/** One term as a condition on single rows. */
export function rowCondition(term: FieldTerm, shape: RowShape, bind: Bind): string {
  const any = term.values.map(value =>
    term.key === 'has' ? presence(value.parts[0] ?? '', shape, bind) : matches(term.key, value, shape, bind),
  )
  return joinAny(any, term.isNegated)
}

export function joinAny(any: string[], isNegated: boolean): string {
  const condition = any.length === 1 ? (any[0] ?? '1') : `(${any.join(' OR ')})`
  return isNegated ? `NOT ${condition}` : condition
}

/** A tag may be called `constructor`. */
const own = (table: Names, key: string): string | undefined => (Object.hasOwn(table, key) ? table[key] : undefined)

function presence(name: string, { presences, columns, map }: RowShape, bind: Bind): string {
  const known = own(presences, name)
  if (known) return `(${known})`
  const column = own(columns, name)
  return column ? `(${column} != '')` : `mapContains(${map}, ${bind(name, 'String')})`
}

function matches(key: string, value: SearchValue, { columns, map }: RowShape, bind: Bind): string {
  const column = own(columns, key) ?? `${map}[${bind(key, 'String')}]`
  const meant = key === 'route' ? { ...value, parts: routeParts(value.parts) } : value
  if (meant.parts.length === 1) return `(${column} = ${bind(meant.parts[0] ?? '', 'String')})`
  return `(${column} ILIKE ${bind(likePattern(meant), 'String')})`
}
