/** Generates the rare errors of a large shop. Each is thrown in a function of its own, so each becomes an issue. */
import type { ShopError } from './errors.ts'

const verbs = [
  ...['load', 'save', 'parse', 'format', 'render', 'merge', 'sort', 'filter', 'fetch', 'send'],
  ...['open', 'close', 'check', 'count', 'apply', 'revoke', 'renew', 'print', 'copy', 'move'],
  ...['split', 'join', 'rate', 'rank', 'tax', 'pack', 'ship', 'track', 'cancel', 'confirm'],
  ...['import', 'export', 'upload', 'resize', 'crop', 'notify', 'remind', 'archive', 'restore', 'preview'],
]
const nouns = [
  ...['voucher', 'wishlist', 'address', 'invoice', 'parcel', 'courier', 'stock', 'price', 'banner', 'review'],
  ...['rating', 'gallery', 'variant', 'bundle', 'discount', 'coupon', 'refund', 'return', 'receipt', 'basket'],
  ...[
    'profile',
    'avatar',
    'password',
    'session',
    'consent',
    'newsletter',
    'catalogue',
    'category',
    'facet',
    'suggestion',
  ],
  ...['warehouse', 'shelf', 'pallet', 'label', 'barcode', 'currency', 'payment', 'card', 'wallet', 'subscription'],
  ...['delivery', 'slot', 'route', 'store', 'map', 'gift', 'message', 'ticket', 'survey', 'referral'],
]
const areas = ['features', 'account', 'checkout', 'search', 'support', 'admin', 'mobile', 'partner', 'content', 'legal']

type Kind = (noun: string) => Pick<ShopError, 'side' | 'type' | 'value'> & { text: string }

const kinds: readonly Kind[] = [
  noun => ({
    side: 'browser',
    type: 'TypeError',
    value: `Cannot read properties of undefined (reading '${noun}')`,
    text: `  return state.${noun}.id`,
  }),
  noun => ({
    side: 'server',
    type: 'TimeoutError',
    value: `The ${noun} service did not answer within 3000 ms`,
    text: `  return await withTimeout(${noun}Service.call(input), 3_000)`,
  }),
  noun => ({
    side: 'browser',
    type: 'RangeError',
    value: `Invalid ${noun} length`,
    text: `  const rows = new Array(${noun}.length - 1)`,
  }),
  noun => ({
    side: 'server',
    type: 'ZodError',
    value: `${noun}.id: Invalid input: expected number, received undefined`,
    text: `  return ${noun}Schema.parse(body)`,
  }),
  noun => ({
    side: 'browser',
    type: 'Error',
    value: `${noun} is not available in this region`,
    text: `  if (!region.has(${noun})) throw new Error(reason)`,
  }),
]

export const maxTailErrors = verbs.length * nouns.length * areas.length

/** A larger count only appends errors. */
export function tailErrors(count: number): ShopError[] {
  return Array.from({ length: count }, (_, index) => {
    const verb = pick(verbs, index)
    // The step of 3 makes neighbors differ in both words, and no pair occurs twice.
    const noun = pick(nouns, Math.floor(index / verbs.length) + index * 3)
    const area = pick(areas, Math.floor(index / (verbs.length * nouns.length)))
    const { side, type, value, text } = pick(kinds, index)(noun)
    const name = `${verb}${noun.charAt(0).toUpperCase()}${noun.slice(1)}`
    return { side, type, value, at: [[`${area}/${noun}/${verb}-${noun}.ts`, name, 10 + (index % 80), text]] }
  })
}

function pick<Value>(values: readonly Value[], index: number): Value {
  const value = values[index % values.length]
  if (value === undefined) throw new Error('nothing to pick from')
  return value
}
