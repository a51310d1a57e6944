/** Damages bytes without knowledge of envelopes. */
import type { Mutator } from './mutate.ts'

export const byteMutators: Mutator[] = [
  {
    name: 'flip bits',
    mutate(body, _other, random) {
      const copy = Buffer.from(body)
      for (let flips = 1 + random.int(8); flips > 0 && copy.length > 0; flips--) {
        const at = random.int(copy.length)
        copy[at] = (copy[at] ?? 0) ^ (1 << random.int(8))
      }
      return copy
    },
  },
  { name: 'truncate', mutate: (body, _other, random) => body.subarray(0, random.int(body.length + 1)) },
  {
    name: 'splice',
    mutate: (body, other, random) =>
      Buffer.concat([body.subarray(0, random.int(body.length + 1)), other.subarray(random.int(other.length + 1))]),
  },
  {
    name: 'insert noise',
    mutate(body, _other, random) {
      const at = random.int(body.length + 1)
      return Buffer.concat([body.subarray(0, at), random.bytes(1 + random.int(40)), body.subarray(at)])
    },
  },
  {
    name: 'cut out',
    mutate(body, _other, random) {
      const from = random.int(body.length + 1)
      return Buffer.concat([body.subarray(0, from), body.subarray(from + random.int(200))])
    },
  },
  {
    name: 'move a newline',
    mutate(body, _other, random) {
      const at = body.indexOf(0x0a, random.int(body.length + 1))
      if (at === -1) return Buffer.concat([body, Buffer.from('\n')])
      return random.chance(0.5)
        ? Buffer.concat([body.subarray(0, at), body.subarray(at + 1)])
        : Buffer.concat([
            body.subarray(0, at),
            Buffer.from(random.pick(['\n\n', '\r\n', ' \n'])),
            body.subarray(at + 1),
          ])
    },
  },
]
