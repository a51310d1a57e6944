import type { Dataset } from './datasets.ts'
import type { Fault, Reference } from './field.ts'

/** Names that only a dataset gives out: one that it does not know is a mistake, not somebody's tag. */
const reserved = /^(?:span|issue|transaction|stack|timestamp|precise|trace|project|error|event)\./

/** Any other word is a tag or attribute. `tags[name]` and `tags[name,number]` say so explicitly. */
export function findField(name: string, dataset: Dataset): Reference | Fault {
  const field = Object.hasOwn(dataset.fields, name) ? dataset.fields[name] : undefined
  if (field) return { kind: 'field', name, field }
  const [, tag] = /^tags\[([^\],]{1,200})(?:,\s*(?:string|number|boolean))?\]$/.exec(name) ?? []
  if (tag) return { kind: 'tag', name, key: tag }
  if (reserved.test(name)) return wrong(`${name} is no field of ${dataset.name}.${alike(name, dataset)}`)
  if (!/^[A-Za-z0-9_][\w./:@-]{0,199}$/.test(name))
    return wrong(`${JSON.stringify(name)} is no field. A field is one word, like ${example(dataset)}.`)
  return { kind: 'tag', name, key: name }
}

const wrong = (message: string): Fault => ({ ok: false, code: 'wrong_field', message })
const example = ({ table }: Dataset) => (table === 'spans' ? 'span.op' : table === 'logs' ? 'severity' : 'error.type')

/** Names of the same family, as a hint. */
function alike(name: string, { fields }: Dataset): string {
  const family = name.slice(0, name.indexOf('.') + 1)
  const known = Object.keys(fields).filter(each => each.startsWith(family))
  return known.length === 0 ? '' : ` Known are ${known.join(', ')}.`
}
