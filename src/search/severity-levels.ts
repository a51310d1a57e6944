import { severityWords } from './search-fields.ts'
import type { FieldTerm } from './search-term.ts'

/** `level:>=warn` names three levels. */
export function levelsOf({ comparison, values }: FieldTerm): string[] {
  const at = (word: string): number => severityWords.indexOf(word as (typeof severityWords)[number])
  const [first = ''] = values[0]?.parts ?? []
  switch (comparison) {
    case '=':
      return values.map(({ parts }) => parts[0] ?? '')
    case '>':
      return severityWords.slice(at(first) + 1)
    case '>=':
      return severityWords.slice(at(first))
    case '<':
      return severityWords.slice(0, at(first))
    case '<=':
      return severityWords.slice(0, at(first) + 1)
  }
}
