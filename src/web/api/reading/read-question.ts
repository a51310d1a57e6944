import type { Question } from '#queries/explore/plan-exploration.ts'

/** `dataset=`, `field=` (as often as wanted), `query=` and `sort=` of an address. */
export function readQuestion(search: URLSearchParams): Question {
  const given = (name: string) => search.getAll(name).filter(word => word !== '')
  return {
    dataset: search.get('dataset') || 'errors',
    fields: given('field'),
    query: search.get('query') ?? '',
    sort: [...given('sort'), ...given('orderby')],
  }
}
