import type { StateWord } from '#search/search-fields.ts'
import type { SearchTerm, SearchValue } from '#search/search-term.ts'
import type { Persons } from './issue-conditions.ts'

export type StateField = 'status' | 'substatus' | 'assignee' | 'priority' | 'level'
/** One claim about an issue. */
export type Claim =
  | { kind: 'is'; field: StateField; value: string }
  | { kind: 'isNot'; field: StateField; value: string }
  | { kind: 'unhandled'; value: 0 | 1 }
  | { kind: 'words'; value: SearchValue }
  | { kind: 'number'; projectId: number; number: number }
/** Claims that must hold together. */
export type Test = Claim[]

/** Any of the tests must hold; none at all means nothing can match. */
export function readStateTerm(term: SearchTerm, persons: Persons): Test[] {
  if (term.kind === 'text') return readWords(term.value, persons)
  return term.values.flatMap(value => {
    const [text = ''] = value.parts
    switch (term.key) {
      case 'is':
        return [states[text as StateWord]]
      case 'assigned':
        return [[{ kind: 'is', field: 'assignee', value: assignee(text, persons) }]] satisfies Test[]
      case 'level':
      case 'priority':
        return [[{ kind: 'is', field: term.key, value: text }]] satisfies Test[]
      default:
        return [[{ kind: 'words', value }]] satisfies Test[]
    }
  })
}

const status = (value: string): Claim => ({ kind: 'is', field: 'status', value })
/** A resolved issue that was new is not new any more. */
const open = (value: string): Test => [status('unresolved'), { kind: 'is', field: 'substatus', value }]

const states: Record<StateWord, Test> = {
  unresolved: [status('unresolved')],
  resolved: [status('resolved')],
  archived: [status('archived')],
  new: open('new'),
  ongoing: open('ongoing'),
  regressed: open('regressed'),
  escalating: open('escalating'),
  unhandled: [{ kind: 'unhandled', value: 1 }],
  handled: [{ kind: 'unhandled', value: 0 }],
  assigned: [{ kind: 'isNot', field: 'assignee', value: '' }],
  unassigned: [{ kind: 'is', field: 'assignee', value: '' }],
}

/** A stranger's address belongs to nobody here, and so to no issue. */
function assignee(text: string, { me, byEmail, teamBySlug }: Persons): string {
  if (text === 'none') return ''
  if (text.startsWith('#')) return `team:${teamBySlug.get(text.slice(1).toLowerCase()) ?? '?'}`
  return `user:${text === 'me' ? me : (byEmail.get(text.toLowerCase()) ?? '?')}`
}

/** `WEB-42` typed or pasted finds that issue too. */
function readWords(value: SearchValue, { projects }: Persons): Test[] {
  const match = value.parts.length === 1 ? /^(.+)-(\d{1,12})$/.exec(value.parts[0] ?? '') : null
  const numbered = projects
    .filter(({ slug }) => slug === match?.[1]?.toLowerCase())
    .map(({ id }): Test => [{ kind: 'number', projectId: id, number: Number(match?.[2]) }])
  return [[{ kind: 'words', value }], ...numbered]
}
