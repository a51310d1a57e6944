import type { ColumnType } from '#domain/explore/field.ts'
import { planExploration, type Query } from '#domain/explore/plan-exploration.ts'

type Validity = { valid: boolean; error: string | null }
type FieldValidity = Validity & { name: string; attrType: 'string' | 'number' | 'boolean' | null }

/** Validates each part of a query on its own, so that all errors are reported at once. */
export function validateQuery({ dataset, fields, query, sort }: Query, now: number) {
  const inDataset = validate({ dataset, fields: ['project'], query: '', sort: [] }, now)
  const field = fields.map(name => validateField(name, dataset, now))
  const searched = validate({ dataset, fields: ['project', 'count()'], query, sort: [] }, now)
  const good = field.filter(({ valid }) => valid).map(({ name }) => name)
  const orderby = sort.map(word => {
    const validity = validate({ dataset, fields: good.length > 0 ? good : ['project'], query: '', sort: [word] }, now)
    return { ...validity, name: word, attrType: null }
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

function validate(query: Query, now: number): Validity {
  const plan = planExploration(query, now)
  return 'ok' in plan ? { valid: false, error: plan.message } : { valid: true, error: null }
}

function validateField(name: string, dataset: string, now: number): FieldValidity {
  const plan = planExploration({ dataset, fields: [name], query: '', sort: [] }, now)
  if ('ok' in plan) return { name, valid: false, error: plan.message, attrType: null }
  return { name, valid: true, error: null, attrType: attributeType(plan.columns[0]?.type) }
}

function attributeType(type: ColumnType | undefined): FieldValidity['attrType'] {
  if (type === 'string' || type === 'date' || type === undefined) return 'string'
  return type === 'boolean' ? 'boolean' : 'number'
}

/** Reads `dataset=`, `field=` (repeatable), `query=` and `sort=` from the URL. */
export function readQuery(search: URLSearchParams): Query {
  return {
    dataset: readDataset(search),
    fields: readFields(search),
    query: search.get('query') ?? '',
    sort: [...given(search, 'sort'), ...given(search, 'orderby')],
  }
}

export const readDataset = (search: URLSearchParams): string => search.get('dataset') || 'errors'
export const readFields = (search: URLSearchParams): string[] => given(search, 'field')

const given = (search: URLSearchParams, name: string): string[] => search.getAll(name).filter(word => word !== '')
