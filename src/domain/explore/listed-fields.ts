/**
 * The names that lists use for the fields of a dataset. Numbers, searches and the API interpret them the same way: `type:TypeError`,
 * `op:db duration:>1s`. A condition on such a name matches as in the list (`searchedCondition`); a column shows its value.
 */
import { type Bind, containsPattern, eventCondition, joinAny } from '#domain/events/event-condition.ts'
import { logTermSql } from '#domain/events/log-term.ts'
import { spanTermSql } from '#domain/events/span-term.ts'
import { logSideSql, spanSideSql } from '#react/side.ts'
import { checkTerm } from '#search/check-term.ts'
import { logFields } from '#search/log-fields.ts'
import { type FieldKind, type FieldTable, fieldKey, fieldKind, issueFields } from '#search/search-fields.ts'
import { languageOf } from '#search/search-language.ts'
import type { FieldTerm, TextTerm } from '#search/search-term.ts'
import { spanFields } from '#search/span-fields.ts'
import { duration, type Field, number, span, text, uuid } from './field.ts'

export type Listed = {
  /** The words of the list, and their aliases. */
  table: FieldTable
  /** Columns under the names of the list, where the dataset has no field of that name. */
  fields: Readonly<Record<string, Field>>
  /** Kinds of fields that describe single rows and are compared as in the list. */
  kinds: ReadonlySet<FieldKind>
  /** Aliases of lists that have a second meaning to Sentry's tools: either may match. */
  twofold: ReadonlySet<string>
  /** Free text. */
  textSql(term: TextTerm, bind: Bind): string
  termSql(term: FieldTerm, bind: Bind): string
}

const sideSql = ({ edge, browser }: Readonly<Record<'edge' | 'browser', string>>): string =>
  `multiIf(${edge}, 'edge', ${browser}, 'browser', 'server')`

/** As lists search the title and the place under it. */
const wordsOfErrors = (values: FieldTerm['values'], isNegated: boolean, bind: Bind): string =>
  joinAny(
    values.map(value => {
      const pattern = bind(containsPattern(value), 'String')
      return `(title ILIKE ${pattern} OR culprit ILIKE ${pattern})`
    }),
    isNegated,
  )

export const listedErrors: Listed = {
  table: issueFields,
  fields: { type: text('type') },
  kinds: new Set<FieldKind>(['event', 'flag', 'level', 'has', 'text']),
  // The name, and the name with its version.
  twofold: new Set(['browser', 'os']),
  textSql: ({ value, isNegated }, bind) => wordsOfErrors([value], isNegated, bind),
  termSql: (term, bind) =>
    term.key === 'message' ? wordsOfErrors(term.values, term.isNegated, bind) : eventCondition(term, bind),
}

export const listedSpans: Listed = {
  table: spanFields,
  fields: {
    op: text('op'),
    duration: duration('duration_us / 1000'),
    status: text('status'),
    name: text('name'),
    'http.status': number('status_code'),
    method: text('method'),
    segment: text('segment_name'),
    origin: text('origin'),
    side: text(sideSql(spanSideSql)),
  },
  kinds: new Set<FieldKind>(['event', 'has', 'spanState', 'side', 'status', 'duration', 'count']),
  twofold: new Set(),
  textSql: spanTermSql,
  termSql: spanTermSql,
}

export const listedLogs: Listed = {
  table: logFields,
  fields: {
    side: text(sideSql(logSideSql)),
    span: span('span_id'),
    replay: uuid('replay_id'),
    template: text('template'),
  },
  kinds: new Set<FieldKind>(['event', 'has', 'severity', 'side', 'text', 'pattern']),
  twofold: new Set(),
  textSql: logTermSql,
  termSql: logTermSql,
}

/** By the dataset: ids and times are compared in the type of their column, and projects by what the viewer sees. */
const ofDataset = new Set(['trace', 'id', 'timestamp', 'project'])

/**
 * The term as a list reads it. Null if the list has no such word for single rows; the reason if it has, and the value is not one of its
 * values.
 */
export function searchedTerm(term: FieldTerm, { table, kinds }: Listed): FieldTerm | string | null {
  const key = fieldKey(term.key, table)
  const kind = fieldKind(key, table)
  if (!kinds.has(kind) || ofDataset.has(key)) return null
  if (kind === 'has') return searchedPresence(term, table)
  const meant = languageOf(table).resolve?.({ ...term, key }) ?? { ...term, key }
  return checkTerm(meant, table) ?? meant
}

/** `has:` of a word that the list does not have is about the dataset. */
function searchedPresence(term: FieldTerm, table: FieldTable): FieldTerm | null {
  const meant = languageOf(table).resolve?.({ ...term, key: 'has' }) ?? term
  const [name = ''] = meant.values[0]?.parts ?? []
  const isListed = Object.hasOwn(table.fields, name) || name === 'user' || name === 'replay' || name === 'profile'
  return isListed && !ofDataset.has(name) && checkTerm(meant, table) === null ? meant : null
}

/** Why a word of the list of issues can't be asked of single events; null for any other word. */
export function issueWordFault(typed: string, { table }: Listed): string | null {
  const key = fieldKey(typed, table)
  const kind = fieldKind(key, table)
  return kind === 'state' || kind === 'assignee'
    ? `${typed} is about issues, and this query is about single events. Use a field or tag of events.`
    : null
}
