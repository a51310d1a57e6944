/** No cut of a text leaves half a character in a row, whatever the limit: a text of 4,000 is cut in one half, one of 4,001 in the other. */
import { expect, test } from 'vitest'
import { processRecord } from '#digest/process-record.ts'
import { makeRecord, testContext } from './make-record.ts'
import { type Json, skeletons } from './security/skeletons.ts'

/** Ids, times and types stay valid, because otherwise digest would reject the item. */
const kept = /^(.*_id|sid|type|timestamp|started|start_timestamp|end_timestamp|platform)$/

function withText(value: Json, text: string, key = ''): Json {
  if (Array.isArray(value)) return value.map(one => withText(one, text, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withText(one, text, name)]))
  return typeof value === 'string' && !kept.test(key) ? text : value
}

/** A character of two code units, after an odd number of single ones: many cuts fall into its middle. */
const textOf = (size: number): string => `${size % 2 === 0 ? '' : 'x'}${'🜁'.repeat(Math.floor(size / 2))}`

/** A lone half is escaped in JSON, where the text itself looks whole. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value, ...(/^[{[]"/.test(value) ? textsIn(JSON.parse(value)) : [])]
    : typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
      ? Object.entries(value).flatMap(([key, one]) => [key, ...textsIn(one)])
      : []

const named = skeletons.flatMap(skeleton =>
  typeof skeleton.payload === 'object' && skeleton.payload !== null ? [[skeleton.type, skeleton] as const] : [],
)

/** Where users and developers write the most. */
const longest = new Set(['event', 'transaction', 'span', 'log', 'feedback'])

test.each(named)('%s', (_name, { type, headers = {}, payload }) => {
  let cut = 0
  for (const size of [4_000, 4_001, 16_385]) {
    const { rows } = processRecord(
      makeRecord([{ type, headers, payload: withText(payload, textOf(size)) }]),
      testContext,
    )
    for (const [table, all] of Object.entries(rows))
      for (const row of all ?? [])
        for (const [column, value] of Object.entries(row))
          for (const text of textsIn(value)) {
            expect([table, column, text.isWellFormed()]).toEqual([table, column, true])
            cut += text.startsWith(textOf(size).slice(0, 30)) && text.length < size ? 1 : 0
          }
  }
  if (longest.has(type)) expect(cut).toBeGreaterThan(0)
})
