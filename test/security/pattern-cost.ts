/**
 * How much work a regular expression can cost, read from its text. Two kinds are linear whatever the input is: those without an
 * endless repetition and with few ways to match, and those with a single one that is tried from one position only (`^`). All others
 * need a closer look, which takes seconds.
 */
type Cost = {
  /** An upper bound of the ways in which the bounded repetitions can share a text among themselves. */
  ways: number
  /** Repetitions without an end: `*`, `+`, `{2,}`. */
  unbounded: number
  isAnchored: boolean
}

/** Ways, per position of the text. Larger numbers are rather work than a constant. */
const fewWays = 512

export function isPlainlyLinear(source: string, flags: string): boolean {
  const { ways, unbounded, isAnchored } = costOf(source)
  if (ways > fewWays) return false
  return unbounded === 0 || (unbounded === 1 && isAnchored && !flags.includes('m'))
}

/** `a|b(c|d)` → `a`, `b(c|d)`. Each is tried by itself at each position, so a pattern is linear when all of these are. */
export function splitAlternatives(source: string): string[] {
  const parts: string[] = []
  let [from, depth] = [0, 0]
  for (let at = 0; at < source.length; at++) {
    const char = source[at]
    if (char === '\\') at++
    else if (char === '[') while (source[++at] !== ']') at += source[at] === '\\' ? 1 : 0
    else if (char === '(') depth++
    else if (char === ')') depth--
    else if (char === '|' && depth === 0) {
      parts.push(source.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, source.slice(from)]
}

export function costOf(source: string): Cost {
  let at = 0
  const peek = (): string => source[at] ?? ''

  function readAlternatives(): Cost {
    const all = [readSequence()]
    while (peek() === '|') {
      at++
      all.push(readSequence())
    }
    return {
      ways: all.reduce((sum, { ways }) => sum + ways, 0),
      unbounded: Math.max(...all.map(({ unbounded }) => unbounded)),
      isAnchored: all.every(({ isAnchored }) => isAnchored),
    }
  }

  function readSequence(): Cost {
    const cost: Cost = { ways: 1, unbounded: 0, isAnchored: false }
    let isFirst = true
    while (at < source.length && peek() !== '|' && peek() !== ')') {
      const term = readTerm()
      cost.ways *= term.ways
      cost.unbounded += term.unbounded
      if (isFirst) cost.isAnchored = term.isAnchored
      isFirst = false
    }
    return cost
  }

  function readTerm(): Cost {
    const inner = readAtom()
    const [least, most] = readRepetition()
    if (most === 1 && least === 1) return inner
    if (most === Number.POSITIVE_INFINITY)
      // A repetition inside another that has no end may share a text in ever more ways.
      return {
        ways: inner.ways > 1 ? Number.POSITIVE_INFINITY : 1,
        unbounded: 1 + inner.unbounded * 2,
        isAnchored: false,
      }
    return {
      ways: (most - least + 1) * inner.ways ** Math.max(1, most),
      unbounded: inner.unbounded * Math.max(1, most),
      isAnchored: least > 0 && inner.isAnchored,
    }
  }

  function readAtom(): Cost {
    const plain: Cost = { ways: 1, unbounded: 0, isAnchored: false }
    const char = peek()
    at++
    if (char === '^') return { ...plain, isAnchored: true }
    if (char === '\\') {
      // `\p{L}`, `\u{1F600}`, `\k<name>`
      if (/[pPu]/.test(peek()) && source[at + 1] === '{') at = source.indexOf('}', at)
      at++
    } else if (char === '[') {
      while (peek() !== ']') at += peek() === '\\' ? 2 : 1
      at++
    } else if (char === '(') {
      const head = /^\?(?:<?[=!]|:|<\w+>)/.exec(source.slice(at, at + 60))?.[0] ?? ''
      at += head.length
      const inner = readAlternatives()
      at++
      return /^\?<?[=!]/.test(head) ? { ...inner, isAnchored: false } : inner
    }
    return plain
  }

  function readRepetition(): [least: number, most: number] {
    const found = /^(?:\*|\+|\?|\{\d+(?:,\d*)?\})\??/.exec(source.slice(at, at + 20))?.[0]
    if (found === undefined) return [1, 1]
    at += found.length
    if (found.startsWith('?')) return [0, 1]
    if (/^[*+]/.test(found)) return [0, Number.POSITIVE_INFINITY]
    const [, least = '0', comma, most = ''] = /^\{(\d+)(,)?(\d*)/.exec(found) ?? []
    if (comma === undefined) return [Number(least), Number(least)]
    return [Number(least), most === '' ? Number.POSITIVE_INFINITY : Number(most)]
  }

  return readAlternatives()
}
