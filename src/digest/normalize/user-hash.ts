import { textOf } from '#lib/json-value.ts'
import { clipText } from '#lib/text.ts'
import { hashUser } from '#lib/user-hash.ts'
import { scrubbed } from '#scrubbing/scrub-text.ts'
import { limits } from '../limits.ts'

const noUser = '0'

/** All spans of a page view have the same user; hashing it for each would cost more than the rest of the row. */
const cache = new Map<string, string>()
const cacheEntries = 10_000

/** 64 bits as decimal text, from the first identifier that is set. Salted by project, so users cannot be linked across projects. */
export function userHash(projectId: number, id: string, email = '', username = '', ip = ''): string {
  const name = [id, email, username, ip].find(each => each !== '' && each !== scrubbed) ?? ''
  if (name === '') return noUser
  const salted = `${projectId}:${name}`
  const known = cache.get(salted)
  if (known !== undefined) return known
  const decimal = hashUser(projectId, name)
  if (cache.size >= cacheEntries) cache.clear()
  cache.set(salted, decimal)
  return decimal
}

/** Text for a LowCardinality column: short and well-formed. */
export const nameOf = (value: unknown): string => clipText(textOf(value), limits.nameChars).toWellFormed()
