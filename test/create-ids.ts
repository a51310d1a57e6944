import { createHash } from 'node:crypto'

/** Ids that look random and come in the same order in every run, so that a failure can be repeated. */
export function createIds(name: string): () => string {
  let last = 0
  return () => createHash('md5').update(`${name} ${++last}`).digest('hex')
}

/** The same with hyphens, as ClickHouse reads a UUID. */
export function createUuids(name: string): () => string {
  const next = createIds(name)
  return () => next().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
