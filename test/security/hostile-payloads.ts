/** Hostile values for the fields of an item. */
import type { Json } from './skeletons.ts'

/** A payload of about `size` chars. A string is already serialized, or deliberately not JSON. */
export type Attack = { name: string; make(payload: Json, size: number): Json | Buffer | { raw: string } }

const leaves = (value: Json): number =>
  typeof value !== 'object' || value === null
    ? 1
    : Object.values(value).reduce<number>((sum, one) => sum + leaves(one), 0)

function mapLeaves(value: Json, change: (leaf: Json, key: string) => Json, key = ''): Json {
  if (typeof value !== 'object' || value === null) return change(value, key)
  if (Array.isArray(value)) return value.map(one => mapLeaves(one, change, key))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapLeaves(one, change, name)]))
}

function mapNodes(value: Json, change: (node: Json[] | { [key: string]: Json }) => Json): Json {
  if (typeof value !== 'object' || value === null) return value
  const inner = Array.isArray(value)
    ? value.map(one => mapNodes(one, change))
    : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapNodes(one, change)]))
  return change(inner)
}

/** Repeats only the outermost arrays; inner ones are repeated with their parents. */
function repeatMembers(value: Json, size: number): Json {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, repeatMembers(one, size)]))
  return Array.from({ length: Math.ceil(size / JSON.stringify(value).length) }, () => value).flat()
}

/** Ids, times and types stay valid, because otherwise digest would reject the item early. */
const kept = /^(.*_id|sid|type|timestamp|started|start_timestamp|end_timestamp|platform)$/

const longTexts = (name: string, piece: string, start = ''): Attack => ({
  name: `long texts of ${name}`,
  make: (payload, size) => {
    const each = Math.max(1, Math.floor(size / leaves(payload) / JSON.stringify(piece).length))
    const text = start + piece.repeat(each)
    return mapLeaves(payload, (leaf, key) => (typeof leaf === 'string' && !kept.test(key) ? text : leaf))
  },
})

const oneLongText = (name: string, piece: string, start = ''): Attack => ({
  name: `one long text of ${name}`,
  make: (payload, size) => {
    const text = start + piece.repeat(Math.floor(size / 40 / piece.length))
    return mapLeaves(payload, (leaf, key) =>
      typeof leaf === 'string' && /agent|message|value|body|url|comments/i.test(key) ? text : leaf,
    )
  },
})

const secrets = (count: number): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`password${at}`, 'x']))

/** Hostile values that grow linearly with their size. */
export const growing: Attack[] = [
  longTexts('letters', 'a'),
  longTexts('digits', '1'),
  longTexts('spaces', ' '),
  longTexts('pairs', 'a=b&'),
  longTexts('quotes', '"a'),
  longTexts('paths', '/a'),
  longTexts('parentheses', '('),
  longTexts('dots and signs', 'a.b-c@'),
  longTexts('stack lines', '\n    at a (b:1:2)'),
  longTexts('JSON', '{"password":"'),
  longTexts('tokens', 'eyJhbGciOi.'),
  longTexts('NUL bytes', '\u0000'),
  longTexts('halves of characters', '\ud83d'),
  longTexts('user agents', 'Chrome/1 (', 'Mozilla/5.0 ('),
  oneLongText('a user agent', 'Version/1.1; ', 'Mozilla/5.0 (Linux; Android '),
  {
    name: 'many keys',
    make: (payload, size) => {
      const more = Object.fromEntries(Array.from({ length: Math.floor(size / 14) }, (_, at) => [`key${at}`, 1]))
      return Array.isArray(payload) || typeof payload !== 'object'
        ? [more]
        : { ...payload, ...more, extra: more, tags: {}, attributes: {} }
    },
  },
  {
    name: 'many members',
    make: (payload, size) => repeatMembers(payload, size / 6),
  },
  {
    name: 'deep nesting',
    make: (payload, size) => {
      const deep = '@deep@'
      const depth = Math.max(1, Math.floor(size / leaves(payload) / 6))
      const text = JSON.stringify(mapLeaves(payload, (leaf, key) => (kept.test(key) ? leaf : deep)))
      return { raw: text.replaceAll(`"${deep}"`, `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) }
    },
  },
  {
    name: 'long keys over many secrets',
    make: (payload, size) => {
      const key = 'k'.repeat(Math.floor(size / 3))
      const groups = Object.fromEntries(
        Array.from({ length: Math.ceil(size / 3 / 20 / 900) }, (_, at) => [
          `g${at}`,
          secrets(Math.min(900, Math.ceil(size / 60))),
        ]),
      )
      const hidden = { [key]: groups }
      return Array.isArray(payload) || typeof payload !== 'object'
        ? [hidden]
        : { ...payload, extra: hidden, data: hidden, attributes: hidden }
    },
  },
  {
    name: 'card numbers',
    make: (payload, size) =>
      mapLeaves(payload, (leaf, key) =>
        typeof leaf === 'string' && !kept.test(key) ? '4111 1111 '.repeat(size / leaves(payload) / 10) : leaf,
      ),
  },
]

const instead = (name: string, value: Json): Attack => ({
  name: `${name} in each field`,
  make: payload => mapLeaves(payload, () => value),
})

export const strange: Attack[] = [
  { name: 'as it should be', make: payload => payload },
  ...[1e308, -1e308, 5e-324, Number.MAX_SAFE_INTEGER, -1, 0.1].map(value => instead(String(value), value)),
  {
    name: 'numbers beyond a double',
    make: payload => ({ raw: JSON.stringify(mapLeaves(payload, () => '@n@')).replaceAll('"@n@"', '1e400') }),
  },
  instead('null', null),
  instead('true', true),
  instead('an empty text', ''),
  instead('an array', [[['a']]]),
  instead('an object', { value: { value: 'a' } }),
  { name: 'arrays in place of objects', make: payload => mapNodes(payload, node => Object.values(node)) },
  {
    name: 'objects in place of arrays',
    make: payload => mapNodes(payload, node => (Array.isArray(node) ? { ...node } : node)),
  },
  {
    name: '__proto__',
    make: payload => ({
      raw: JSON.stringify(
        mapNodes(payload, node =>
          Array.isArray(node)
            ? node
            : {
                ...node,
                '@p@': { isAdmin: true, toString: 1 },
                constructor: { prototype: 1 },
                toJSON: 'x',
                length: -1,
              },
        ),
      ).replaceAll('@p@', '__proto__'),
    }),
  },
  {
    name: 'bytes that are no UTF-8',
    make: payload =>
      Buffer.from(JSON.stringify(mapLeaves(payload, (leaf, key) => (kept.test(key) ? leaf : 'caf\u00e9'))), 'latin1'),
  },
  {
    name: 'halves of characters, escaped',
    make: payload => ({
      raw: JSON.stringify(mapLeaves(payload, (leaf, key) => (kept.test(key) ? leaf : '@s@'))).replaceAll(
        '@s@',
        '\\ud83d \\udc00 \\u0000',
      ),
    }),
  },
  { name: 'not JSON', make: payload => ({ raw: JSON.stringify(payload).slice(0, -2) }) },
  { name: 'nothing', make: () => ({ raw: '' }) },
  { name: 'a text', make: () => 'text' },
  { name: 'an array of arrays', make: () => [[], [[]], [null]] },
]

/** The bytes of an item, cut to the limit of ingest. */
export function payloadOf(
  { payload, before = '' }: { payload: Json; before?: string },
  attack: Attack,
  size: number,
): Buffer {
  const made = attack.make(payload, size)
  if (Buffer.isBuffer(made)) return Buffer.concat([Buffer.from(before), made])
  const isRaw = typeof made === 'object' && made !== null && 'raw' in made && typeof made.raw === 'string'
  return Buffer.from(before + (isRaw ? made.raw : JSON.stringify(made)))
}
