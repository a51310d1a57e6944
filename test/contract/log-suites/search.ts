/** Searches of log lines: what each finds in the engine, and the same of lines that are not stored yet. */
import { describe, expect, test } from 'vitest'
import { resolveTerms } from '#domain/events/resolve-terms.ts'
import { listSearchValues, listTagKeys } from '#domain/issues/list-search-values.ts'
import { patternId } from '#domain/logs/line-pattern.ts'
import { type MatchedLine, matchesLine } from '#domain/logs/match-line.ts'
import { logFields } from '#search/log-fields.ts'
import { parseSearch } from '#search/parse-search.ts'
import { languageOf } from '#search/search-language.ts'
import type { LogRow } from '#store/telemetry/rows.ts'
import { bodiesOf, replayId, rows, search, traceId, viewer } from './log-world.ts'

const asMatched = (row: LogRow): MatchedLine => ({
  projectId: row.project_id,
  atUs: row.timestamp,
  level: row.level,
  body: row.body,
  template: row.template,
  traceId: row.trace_id,
  spanId: BigInt(row.span_id).toString(16).padStart(16, '0'),
  replayId: row.replay_id,
  pattern: BigInt(row.pattern).toString(16).padStart(16, '0'),
  route: row.route,
  release: row.release,
  environment: row.environment,
  serverName: row.server_name,
  userId: row.user_id,
  hasUser: row.user_hash !== '0',
  origin: row.origin,
  sdkName: row.sdk_name,
  sdkVersion: row.sdk_version,
  attributes: row.attributes,
  numbers: row.numbers,
})

export function searchSuite(): void {
  describe('a search', () => {
    test.each([
      ['', 8],
      ['payment', 2],
      ['PAYMENT', 2],
      ['pay', 0],
      ['pay*', 2],
      ['"timed out"', 1],
      ['"out timed"', 0],
      ['!payment', 6],
      ['timed payment', 1],
      ['übergabe', 1],
      ['request_id', 1],
      ['request_id=a1', 1],
      ['100%', 1],
      ['"100_"', 0],
      ['back_slash', 1],
      ['message:"timed o"', 1],
      ['message:[hydr,lookup]', 2],
      ['level:error', 1],
      ['level:>=warn', 3],
      ['level:>=warning', 3],
      ['level:<debug', 1],
      ['!level:[info,debug]', 4],
      ['side:browser', 1],
      ['side:edge', 1],
      ['!side:server', 2],
      ['route:/checkout', 1],
      ['release:web@*', 4],
      ['host:web-2', 2],
      [`trace:${traceId}`, 2],
      [`trace:${traceId.toUpperCase()}`, 2],
      ['trace:0123*', 2],
      ['trace:nonsense', 0],
      [`replay:${replayId}`, 1],
      ['span:00000000000000ab', 1],
      ['has:trace', 2],
      ['has:user', 1],
      ['has:replay', 1],
      ['has:cart.size', 2],
      ['has:route', 1],
      ['!has:release', 4],
      ['cart.size:3', 2],
      ['cart.size:>2', 1],
      ['total:12.5', 1],
      ['plan:[gold,free]', 2],
      ['plan:go*', 1],
      ['constructor:x', 1],
      ['toString:x', 0],
      ['"odd key":"v,\\"1\\""', 1],
      ['template:"order %s placed"', 1],
      ['origin:auto.log.console', 1],
      ['user.id:u1', 1],
      ['project:web', 8],
      ['project:other', 0],
      ['timestamp:-5m', 5],
      ['level:error OR level:fatal', 2],
      ['!(level:error OR plan:gold)', 6],
      ['environment:production level:info', 2],
    ])('%s finds %i lines, in the engine and in memory', async (text, count) => {
      const found = await bodiesOf(text)
      expect(found).toHaveLength(count)
      const terms = await resolveTerms(viewer, search(text))
      expect(rows.filter(row => matchesLine(asMatched(row), terms)).map(({ body }) => body)).toEqual(found)
    })

    test('by the id of a pattern finds its lines', async () => {
      expect(await bodiesOf(`pattern:${patternId({ template: 'order %s placed', body: '' })}`)).toEqual([
        'order 17 placed',
      ])
      expect(await bodiesOf(`!pattern:${patternId({ template: '', body: 'payment accepted' })}`)).toHaveLength(7)
    })

    test('says what it takes', () => {
      const faultOf = (text: string) => {
        const parsed = parseSearch(text, languageOf(logFields))
        return parsed.ok ? null : parsed.faults[0]?.message
      }
      expect(faultOf('level:loud')).toMatch('"loud" is not a level. Use trace, debug, info, warn, error or fatal.')
      expect(faultOf('level:>[warn,error]')).toMatch('level takes one value.')
      expect(faultOf('pattern:x')).toMatch('16 hex digits')
      expect(faultOf('cart.size:>many')).toMatch('compared with a number')
    })

    test('is suggested from what was received', async () => {
      expect((await listTagKeys(viewer, 'logs', 'pl')).map(({ value }) => value)).toEqual(['plan'])
      expect(await listSearchValues(viewer, { of: 'logs', key: 'server_name', prefix: 'web' })).toEqual([
        { value: 'web-1', count: 4 },
        { value: 'web-2', count: 2 },
      ])
    })
  })
}
