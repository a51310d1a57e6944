import type { ColumnType } from '#domain/explore/field.ts'
import { planExploration, type Query } from '#domain/explore/plan-exploration.ts'

type Verdict = { valid: boolean; error: string | null }
type FieldVerdict = Verdict & { name: string; attrType: 'string' | 'number' | 'boolean' | null }

/** Each word of a question on its own, so that all that is wrong is told at once. */
export function validateQuery({ dataset, fields, query, sort }: Query, now: number) {
  const inDataset = judge({ dataset, fields: ['project'], query: '', sort: [] }, now)
  const field = fields.map(name => judgeField(name, dataset, now))
  const searched = judge({ dataset, fields: ['project', 'count()'], query, sort: [] }, now)
  const good = field.filter(({ valid }) => valid).map(({ name }) => name)
  const orderby = sort.map(word => {
    const verdict = judge({ dataset, fields: good.length > 0 ? good : ['project'], query: '', sort: [word] }, now)
    return { ...verdict, name: word, attrType: null }
  })
  const all = [inDataset, searched, ...field, ...orderby]
  return {
    valid: all.every(({ valid }) => valid),
    projects: [],
    dataset: [{ ...inDataset, name: dataset }],
    environment: [],
    field,
    query: { ...searched, fields: [] },
    orderby,
  }
}

function judge(query: Query, now: number): Verdict {
  const plan = planExploration(query, now)
  return 'ok' in plan ? { valid: false, error: plan.message } : { valid: true, error: null }
}

function judgeField(name: string, dataset: string, now: number): FieldVerdict {
  const plan = planExploration({ dataset, fields: [name], query: '', sort: [] }, now)
  if ('ok' in plan) return { name, valid: false, error: plan.message, attrType: null }
  return { name, valid: true, error: null, attrType: attributeType(plan.columns[0]?.type) }
}

function attributeType(type: ColumnType | undefined): FieldVerdict['attrType'] {
  if (type === 'string' || type === 'date' || type === undefined) return 'string'
  return type === 'boolean' ? 'boolean' : 'number'
}

/** `dataset=`, `field=` (as often as wanted), `query=` and `sort=` of an address. */
export function readQuery(search: URLSearchParams): Query {
  const given = (name: string) => search.getAll(name).filter(word => word !== '')
  return {
    dataset: search.get('dataset') || 'errors',
    fields: given('field'),
    query: search.get('query') ?? '',
    sort: [...given('sort'), ...given('orderby')],
  }
}
