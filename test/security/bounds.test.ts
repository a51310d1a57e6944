/** Functions that cut a text before a pattern runs: their cost grows linearly with the text. */

import { expect, test } from 'vitest'
import { parseAggregate } from '#domain/explore/aggregate.ts'
import { findDataset } from '#domain/explore/datasets.ts'
import { fileTraits } from '#grouping/v1/file-traits.ts'
import { findFailure } from '#grouping/v1/message.ts'
import { parametrize } from '#grouping/v1/parametrize.ts'
import { parametrize as parametrizeV3 } from '#grouping/v3/parametrize.ts'
import { routeOf } from '#react/route.ts'
import { enclosingFunction } from '#symbolication/resolve-position.ts'
import { colorCode } from '#ui/snippets/color-code.ts'
import { growthOf, linearGrowth } from '../growth-of.ts'

const hostile: [name: string, run: (text: string) => unknown, before: string, piece: string, after: string][] = [
  ['fileTraits', fileTraits, 'https:', '-a', '!'],
  ['fileTraits, long words', fileTraits, 'https:', '-aaaaaaaa.', '!'],
  ['findFailure, property', text => findFailure('TypeError', text), "can't access property ", '", ', ' is'],
  ['findFailure, destructured', text => findFailure('TypeError', text), "Cannot destructure property '", "' of ", ''],
  ['findFailure, defined', text => findFailure('TypeError', text), "can't define property ", ': ', ''],
  ['findFailure, object', text => findFailure('TypeError', text), "a is not an Object. (evaluating '", ' in ', ''],
  ['parametrize, digits', parametrize, '', '1', 'x'],
  ['parametrize, dates', parametrize, '', '2026-11-1', ''],
  ['parametrize, quotes', parametrize, '', '"a', ''],
  ['parametrize 3, digits', parametrizeV3, '', '1', 'x'],
  ['parametrize 3, dates', parametrizeV3, '', '2026-11-1', ''],
  ['parametrize 3, quotes', parametrizeV3, '', '"a1', ''],
  ['parametrize 3, hosts', parametrizeV3, 'fetch ', 'a1.', ''],
  ['routeOf, groups', routeOf, '/', '/(a', ''],
  ['routeOf, levels', routeOf, '/', '(..)', ''],
  ['routeOf, queries', routeOf, '/', ':a?', ''],
  ['enclosingFunction', nameFunction, '', 'const a ', ''],
  ['colorCode', colorCode, '', '1', 'x'],
  ['parseAggregate', aggregate, 'count_if(', ',', ')'],
]

test.each(hostile)(
  '%s takes a text eight times as long in about eight times the time',
  (_name, run, before, piece, after) => {
    const text = (size: number): string => before + piece.repeat(size / piece.length) + after
    expect(growthOf(size => run(text(size)), 5_000)).toBeLessThan(linearGrowth)
  },
)

function nameFunction(line: string): string {
  return enclosingFunction({ line: () => line, count: 1 }, 1, line.length)
}

function aggregate(text: string): unknown {
  const spans = findDataset('spans')
  if ('ok' in spans) throw new Error(spans.message)
  return parseAggregate(text, spans)
}
