import { describe, expect, it, test } from 'vitest'
import { growthOf, linearGrowth } from '../../../test/growth-of.ts'
import { applyRules, applyRulesToAttributes, maxSteps, type RuleSet } from './apply-rules.ts'
import { type CompiledRule, compileRule, type ScrubRule } from './compile-rule.ts'
import { createTextHash } from './hash-text.ts'

const hash = createTextHash('key', 1)

function compile(rule: ScrubRule): CompiledRule {
  const compiled = compileRule(rule)
  if (typeof compiled === 'string') throw new Error(compiled)
  return compiled
}

const rulesOf = (...rules: ScrubRule[]): RuleSet => ({ rules: rules.map(compile), dropsAddresses: false, hash })
const budget = () => ({ left: maxSteps })

function scrub<Value extends object>(value: Value, ...rules: ScrubRule[]): Value {
  const copy = structuredClone(value)
  applyRules(copy as never, { rules: rulesOf(...rules), budget: budget() })
  return copy
}

const replace = (path: string, pattern = ''): ScrubRule => ({ path, pattern, action: 'replace' })
const remove = (path: string, pattern = ''): ScrubRule => ({ path, pattern, action: 'remove' })
const email = '[\\w.+-]+@[\\w-]+\\.[\\w.]+'

describe('which fields a path names', () => {
  const event = {
    user: { id: '7', email: 'ada@shop.example', plan: { email: 'b@shop.example' } },
    breadcrumbs: [{ message: 'one' }, { message: 'two', data: { 'X-User': 'ada' } }],
    'user.email': 'c@shop.example',
  }
  it.each([
    ['user.email', ['user.email', 'user.email']],
    ['USER.Email', ['user.email', 'user.email']],
    ['user.*', ['user.id', 'user.email', 'user.plan.email', 'user.email']],
    ['**.email', ['user.email', 'user.plan.email', 'user.email']],
    ['breadcrumbs.message', ['breadcrumbs.message', 'breadcrumbs.message']],
    ['breadcrumbs.*.message', ['breadcrumbs.message', 'breadcrumbs.message']],
    ['breadcrumbs.1.message', ['breadcrumbs.message']],
    ['breadcrumbs.data.x-*', ['breadcrumbs.data.x-user']],
    ['user', ['user.id', 'user.email', 'user.plan.email', 'user.email']],
    ['nothing.here', []],
  ])('%s', (path, expected) => {
    const changed: string[] = []
    applyRules(structuredClone(event), {
      rules: rulesOf(replace(path)),
      budget: budget(),
      onChange: name => changed.push(name),
    })
    expect(changed).toEqual(expected)
  })

  it.each(['a..b', '.a', 'a.', 'a**.b', 'a'.repeat(201), Array.from({ length: 21 }, () => 'a').join('.')])(
    '%s is no path',
    path => {
      expect(compileRule(replace(path))).toBe('path_invalid')
    },
  )
})

describe('what a rule does', () => {
  it('replaces, hashes or removes a whole field and everything in it', () => {
    const account = { contexts: { account: { name: 'Ada', seats: 3, owner: true, none: null, list: ['x'] } } }
    expect(scrub(account, replace('contexts.account')).contexts.account).toEqual({
      name: '[scrubbed]',
      seats: '[scrubbed]',
      owner: '[scrubbed]',
      none: null,
      list: ['[scrubbed]'],
    })
    expect(scrub({ user: { id: '7' } }, { path: 'user.id', pattern: '', action: 'hash' })).toEqual({
      user: { id: hash('7') },
    })
    expect(scrub({ user: { id: '7', email: 'a' }, n: 1 }, remove('user'))).toEqual({ user: {}, n: 1 })
  })

  it('changes only the part of a text that its pattern matches', () => {
    const log = { body: 'mail to ada@shop.example and bob@shop.example failed' }
    expect(scrub(log, replace('', email)).body).toBe('mail to [scrubbed] and [scrubbed] failed')
    expect(scrub(log, remove('', ` ${email}`)).body).toBe('mail to and failed')
    expect(scrub(log, { path: '', pattern: email, action: 'hash' }).body).toBe(
      `mail to ${hash('ada@shop.example')} and ${hash('bob@shop.example')} failed`,
    )
    expect(scrub({ phone: 491701234567 }, replace('', '^49\\d+')).phone).toBe('[scrubbed]')
  })

  it('applies all rules, in their order', () => {
    const order = { note: 'order 1234 of ada@shop.example' }
    expect(scrub(order, replace('', email), { path: 'note', pattern: '\\d{4}', action: 'remove' }).note).toBe(
      'order  of [scrubbed]',
    )
  })

  it('leaves alone what the SDK or the defaults have removed', () => {
    const values = { a: '[Filtered]', b: '[scrubbed]', c: '' }
    expect(scrub(values, { path: '**', pattern: '.+', action: 'hash' })).toEqual(values)
  })

  it('reads JSON inside of texts, by path and with escaped letters', () => {
    const body = JSON.stringify({ customer: { mail: 'ada@shop.example' }, items: [{ sku: 'x' }] }).replace(
      '@',
      '\\u0040',
    )
    const given = { request: { data: body, note: '{broken' } }
    const byPath = scrub(given, replace('request.data.customer.mail'))
    expect(JSON.parse(byPath.request.data)).toEqual({ customer: { mail: '[scrubbed]' }, items: [{ sku: 'x' }] })
    const byPattern = scrub(given, replace('', email))
    expect(JSON.parse(byPattern.request.data).customer.mail).toBe('[scrubbed]')
    expect(byPattern.request.note).toBe('{broken')
    expect(scrub(given, replace('user.id')).request.data).toBe(body)
  })

  it('understands Unicode', () => {
    const text = { body: 'name: Ада 😀 Лавлейс' }
    expect(scrub(text, replace('body', '\\p{Cyrillic}+')).body).toBe('name: [scrubbed] 😀 [scrubbed]')
  })

  it('handles attributes by their names', () => {
    const attributes = {
      'user.email': { value: 'ada@shop.example', type: 'string' },
      'http.request.header.x-user': { value: ['ada'], type: 'array' },
      'sentry.op': { value: 'http.server', type: 'string' },
      type: { value: 'ada', type: 'string' },
      plain: 'ada',
    }
    const rules = rulesOf(replace('user.email'), remove('http.request.header.*'), replace('', '^ada$|http'))
    applyRulesToAttributes(attributes, true, { rules, budget: budget() })
    expect(attributes).toEqual({
      'user.email': { value: '[scrubbed]', type: 'string' },
      'sentry.op': { value: 'http.server', type: 'string' },
      type: { value: '[scrubbed]', type: 'string' },
      plain: '[scrubbed]',
    })
  })
})

describe('IP addresses', () => {
  it('are dropped where clients have them, and only there', () => {
    const event = {
      user: { id: '7', ip_address: '203.0.113.7' },
      request: { headers: { 'X-Forwarded-For': '203.0.113.7', Accept: '*/*' }, env: { REMOTE_ADDR: '203.0.113.7' } },
      extra: { ip: '203.0.113.7', zip: '10115', tooltip: 'x' },
      message: 'connect ECONNREFUSED 10.0.0.5:5432',
    }
    applyRules(event, { rules: { rules: [], dropsAddresses: true, hash }, budget: budget() })
    expect(event).toEqual({
      user: { id: '7' },
      request: { headers: { Accept: '*/*' } },
      extra: { zip: '10115', tooltip: 'x' },
      message: 'connect ECONNREFUSED 10.0.0.5:5432',
    })
  })
})

describe('a hostile or careless rule', () => {
  const event = {
    event_id: 'e'.repeat(32),
    timestamp: 1,
    platform: 'node',
    level: 'error',
    release: 'web@1',
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'x is not a function',
          mechanism: { type: 'generic', handled: false },
          stacktrace: { frames: [{ function: 'f', filename: 'a.js', lineno: 3, vars: { name: 'Ada' } }] },
        },
      ],
    },
    contexts: { trace: { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), data: { name: 'Ada' } } },
  }

  it.each(['replace', 'remove', 'hash'] as const)('that would %s everything keeps ids, times and code', action => {
    const kept = scrub(event, { path: '', pattern: '(?s).*', action }, { path: '*', pattern: '', action })
    expect(kept).toMatchObject({ event_id: event.event_id, timestamp: 1, platform: 'node', level: 'error' })
    expect(kept.exception.values[0]).toMatchObject({ type: 'TypeError', mechanism: { handled: false } })
    expect(kept.exception.values[0]?.stacktrace.frames[0]).toMatchObject({ function: 'f', filename: 'a.js', lineno: 3 })
    expect(kept.contexts.trace).toMatchObject({ trace_id: event.contexts.trace.trace_id })
    expect(JSON.stringify(kept)).not.toMatch(/Ada|is not a function/)
  })

  it.each(['(a+)+$', '(a|a)*b', '(.*)(.*)(.*)(.*)(.*)[^a]$', '(?:a?){30}a{30}'])(
    '%s takes no more than its share of time for each character',
    pattern => {
      const rules = rulesOf(replace('', pattern))
      const run = (size: number) =>
        applyRules({ text: `${'a'.repeat(size)}b` }, { rules, budget: { left: Number.POSITIVE_INFINITY } })
      // Both sizes are too long for the matcher that re2js takes for short texts, which is faster by a constant factor.
      expect(growthOf(run, 16_384)).toBeLessThan(linearGrowth)
    },
  )

  it.each(['(', 'a{1001}', '(?=a)', '(a)\\1', '[z-a]'])('%s is refused', pattern => {
    expect(compileRule(replace('', pattern))).toBe('pattern_invalid')
  })

  it('is refused when it is too large, and when it says nothing', () => {
    expect(compileRule(replace('', 'a{900}'))).toBe('pattern_too_large')
    expect(compileRule(replace('', 'a'.repeat(301)))).toBe('pattern_too_large')
    expect(compileRule(replace('**'))).toBe('rule_empty')
  })

  it('that matches the empty text changes nothing', () => {
    expect(scrub({ a: 'text' }, replace('', 'z*'))).toEqual({ a: 'text' })
  })
})

test('a field of a megabyte is scrubbed as a whole once the steps are used up, and the same way every time', () => {
  const give = () => ({ a: 'x@y.example '.repeat(100_000), b: 'ada@shop.example', c: 'plain' })
  const [first, second] = [give(), give()]
  const rules = rulesOf(replace('', email))
  applyRules(first, { rules, budget: budget() })
  applyRules(second, { rules, budget: budget() })
  expect(first).toEqual({ a: '[scrubbed]', b: '[scrubbed]', c: '[scrubbed]' })
  expect(second).toEqual(first)
})

test('deep nesting is cut where a rule applies, and own __proto__ keys stay', () => {
  let deep: unknown = 'ada'
  for (let level = 0; level < 5_000; level++) deep = { deep }
  const value = JSON.parse('{"__proto__":{"name":"ada"}}')
  value.deep = deep
  applyRules(value, { rules: rulesOf(replace('', 'ada')), budget: budget() })
  expect(Object.hasOwn(value, '__proto__')).toBe(true)
  expect(JSON.stringify(value)).not.toContain('ada')
})
