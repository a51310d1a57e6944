/** Damages payloads but mostly keeps them JSON: the right structure with wrong values. */
import type { Mutator } from './mutate.ts'
import type { Random } from './random.ts'

const tokens = [
  'null',
  'true',
  '-1',
  '0',
  '1e400',
  '99999999999999999999',
  '1970',
  '32503680000',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"🜁"',
  '"1970-01-01T00:00:00Z"',
  '[]',
  '{}',
  '[[[[[[[[]]]]]]]]',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
]

const keys = [
  '__proto__',
  'constructor',
  'toString',
  'type',
  'event_id',
  'timestamp',
  'exception',
  'items',
  'attributes',
  'values',
  '',
]

/** The next scalar value after a random offset, as [start, end). Found by its colon, so headers are found too. */
function findValue(text: string, random: Random): [number, number] | null {
  const pattern = /:("(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/g
  pattern.lastIndex = random.int(text.length + 1)
  const match = pattern.exec(text)
  return match === null ? null : [match.index + 1, match.index + match[0].length]
}

const onText = (name: string, change: (text: string, random: Random) => string): Mutator => ({
  name,
  // latin1 keeps every byte as it is.
  mutate: (body, _other, random) => Buffer.from(change(body.toString('latin1'), random), 'latin1'),
})

const utf8AsLatin1 = (text: string) => Buffer.from(text).toString('latin1')

export const jsonMutators: Mutator[] = [
  onText('replace a value', (text, random) => {
    const found = findValue(text, random)
    return found === null ? text : text.slice(0, found[0]) + utf8AsLatin1(random.pick(tokens)) + text.slice(found[1])
  }),
  onText('rename a key', (text, random) => {
    const pattern = /"([^"\\\n]{1,40})":/g
    pattern.lastIndex = random.int(text.length + 1)
    const match = pattern.exec(text)
    if (match === null) return text
    return `${text.slice(0, match.index)}"${random.pick(keys)}":${text.slice(match.index + match[0].length)}`
  }),
  onText('grow a string', (text, random) => {
    const found = findValue(text, random)
    if (found === null) return text
    const length = random.chance(0.02) ? 1_200_000 : random.int(20_000)
    return `${text.slice(0, found[0])}"${random.pick(['x', '\\u0000', 'é'].map(utf8AsLatin1)).repeat(length)}"${text.slice(found[1])}`
  }),
  onText('nest deep', (text, random) => {
    const found = findValue(text, random)
    if (found === null) return text
    const depth = 1 + random.int(10_000)
    const [open, close] = random.pick([
      ['[', ']'],
      ['{"a":', '}'],
    ])
    return `${text.slice(0, found[0])}${open?.repeat(depth)}1${close?.repeat(depth)}${text.slice(found[1])}`
  }),
  onText('drop a bracket', (text, random) => {
    const pattern = /[[\]{}",:]/g
    pattern.lastIndex = random.int(text.length + 1)
    const match = pattern.exec(text)
    return match === null ? text : text.slice(0, match.index) + text.slice(match.index + 1)
  }),
]
