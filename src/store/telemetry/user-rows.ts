/**
 * Which rows of each table name a user. DELETE takes no bound parameters, so values get into the text as hex digits only, and the same
 * condition serves to count and to delete.
 */
import type { TableName } from './tables.ts'

export type NamedUser = {
  projectIds: readonly number[]
  identifiers: readonly { kind: 'id' | 'email' | 'username' | 'ip'; value: string }[]
  /** `user_hash` of each identifier in each project, as decimal text. */
  hashes: readonly { projectId: number; hash: string }[]
  /** Rows that were received later are not meant. */
  untilMs: number
}

type Field = (value: string) => string
type Fields = Partial<Record<NamedUser['identifiers'][number]['kind'], readonly Field[]>>

const equals =
  (column: string): Field =>
  value =>
    `${column} = ${value}`
/** Mail providers ignore the case of addresses, and people write them in any; so do IP addresses of version 6. */
const equalsAnyCase =
  (column: string): Field =>
  value =>
    `lowerUTF8(${column}) = lowerUTF8(${value})`
const inJson = (path: string): string => `JSONExtractString(data, ${path})`

const attributeFields: Fields = {
  id: [equals(`attributes['user.id']`)],
  email: [equalsAnyCase(`attributes['user.email']`)],
  username: [equals(`attributes['user.name']`), equals(`attributes['user.username']`)],
  ip: [equalsAnyCase(`attributes['user.ip_address']`), equalsAnyCase(`attributes['client.address']`)],
}

const jsonFields: Fields = {
  id: [equals(inJson(`'user', 'id'`))],
  email: [equalsAnyCase(inJson(`'user', 'email'`))],
  username: [equals(inJson(`'user', 'username'`)), equals(inJson(`'user', 'name'`))],
  ip: [equalsAnyCase(inJson(`'user', 'ip_address'`))],
}

function both(...all: Fields[]): Fields {
  const merged: Fields = {}
  for (const kind of ['id', 'email', 'username', 'ip'] as const)
    merged[kind] = all.flatMap(fields => fields[kind] ?? [])
  return merged
}

/** The fields of each table that can name a user, besides `user_hash`. */
const fieldsOf = {
  events: both(
    { id: [equals('user_id')], email: [equalsAnyCase('user_email')] },
    { username: [equals('user_name')], ip: [equalsAnyCase('user_ip')] },
    jsonFields,
  ),
  event_index: {},
  // Only the segments of older SDKs have JSON with a user.
  spans: both({ id: [equals('user_id')] }, attributeFields, jsonFields),
  logs: both({ id: [equals('user_id')] }, attributeFields),
  metrics: attributeFields,
  sessions: {
    id: [equals(inJson(`'did'`))],
    email: [equalsAnyCase(inJson(`'did'`))],
    username: [equals(inJson(`'did'`))],
    ip: [equalsAnyCase(inJson(`'attrs', 'ip_address'`))],
  },
  feedback: both({ email: [equalsAnyCase('contact_email'), equalsAnyCase(inJson(`'email'`))] }, jsonFields),
  replays: jsonFields,
} as const satisfies Partial<Record<TableName, Fields>>

export type UserTable = keyof typeof fieldsOf

/** A condition of numbers, hex digits and constants, for WHERE. */
export function namesUser(table: UserTable, { projectIds, identifiers, hashes, untilMs }: NamedUser): string {
  const projects = projectIds.filter(Number.isSafeInteger)
  const pairs = hashes.filter(({ projectId, hash }) => Number.isSafeInteger(projectId) && /^\d{1,20}$/.test(hash))
  if (projects.length === 0 || !Number.isSafeInteger(untilMs)) return '0'
  const fields: Fields = fieldsOf[table]
  const terms = identifiers.flatMap(({ kind, value }) => (fields[kind] ?? []).map(field => field(literal(value))))
  if (pairs.length > 0) {
    const list = pairs.map(({ projectId, hash }) => `(${projectId}, ${hash})`).join(', ')
    terms.push(`(project_id, user_hash) IN (${list})`)
    if (table === 'events' || table === 'event_index') terms.push(`(project_id, replaced_user_hash) IN (${list})`)
  }
  if (terms.length === 0) return '0'
  return `project_id IN (${projects.join(', ')}) AND received_at <= fromUnixTimestamp64Milli(${untilMs}) AND (${terms.join(' OR ')})`
}

/** `ada` as `unhex('616461')`: whatever the text contains, only hex digits get into the statement. */
const literal = (text: string): string => `unhex('${Buffer.from(text, 'utf8').toString('hex')}')`

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** Rows by their ids, in the same form. */
export function hasId(column: string, projectIds: readonly number[], ids: readonly string[]): string {
  const safe = ids.filter(id => uuid.test(id)).map(id => `'${id}'`)
  const projects = projectIds.filter(Number.isSafeInteger)
  if (safe.length === 0 || projects.length === 0) return '0'
  return `project_id IN (${projects.join(', ')}) AND ${column} IN (${safe.join(', ')})`
}
