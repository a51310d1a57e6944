/** A source map as large builds have them: many sources, a segment for each few characters, all of it in one generated line. */
import { encodeVlq } from './encode-vlq.ts'

export type LargeMap = { json: string; positions: { line: number; column: number }[] }
type Options = { sources: number; linesPerSource: number; seed: number; positions: number }

const segmentsPerLine = 6
const charsPerSegment = 9

/** The same seed gives the same map; another one gives other texts, so that nothing is shared between two. */
export function makeLargeMap({ sources, linesPerSource, seed, positions }: Options): LargeMap {
  const text = (source: number): string =>
    Array.from({ length: linesPerSource }, (_, line) =>
      line % 20 === 0
        ? `export function load_${seed}_${source}_${line}(cart, item) {`
        : line % 20 === 19
          ? '}'
          : `  const value_${line} = item.price.amount * ${seed} + cart.total(${source})`,
    ).join('\n')
  let mappings = ''
  let previous = { source: 0, line: 0, column: 0 }
  for (let source = 0; source < sources; source++)
    for (let line = 0; line < linesPerSource; line++)
      for (let at = 0; at < segmentsPerLine; at++) {
        const column = at * charsPerSegment
        const isFirst = mappings === ''
        mappings += `${isFirst ? '' : ','}${encodeVlq(isFirst ? 0 : charsPerSegment)}${encodeVlq(source - previous.source)}${encodeVlq(line - previous.line)}${encodeVlq(column - previous.column)}`
        previous = { source, line, column }
      }
  const names = Array.from({ length: sources }, (_, source) => `webpack://shop/./src/feature-${seed}/part-${source}.ts`)
  const json = JSON.stringify({
    version: 3,
    names: [],
    sources: names,
    sourcesContent: names.map((_, source) => text(source)),
    mappings,
  })
  const columns = sources * linesPerSource * segmentsPerLine * charsPerSegment
  const step = Math.floor(columns / positions)
  return { json, positions: Array.from({ length: positions }, (_, at) => ({ line: 1, column: 1 + at * step })) }
}
