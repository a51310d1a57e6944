import { describe, expect, it } from 'vitest'
import type { RuleSet } from '#scrubbing/rules/apply-rules.ts'
import { type CompiledRule, compileRule, type ScrubRule } from '#scrubbing/rules/compile-rule.ts'
import { createTextHash } from '#scrubbing/rules/hash-text.ts'
import { makeRecord, type TestItem, testContext } from '../../../test/make-record.ts'
import { processRecord } from '../process-record.ts'

const hash = createTextHash('key', 1)

function ruleSet(rules: ScrubRule[], dropsAddresses = false): RuleSet {
  const compiled = rules.map(compileRule).filter((rule): rule is CompiledRule => typeof rule !== 'string')
  expect(compiled).toHaveLength(rules.length)
  return { rules: compiled, dropsAddresses, hash }
}

function processWith(rules: RuleSet | null, ...items: TestItem[]) {
  return processRecord(makeRecord(items), { ...testContext, ownRules: { find: () => rules } })
}

const email = '[\\w.+-]+@[\\w-]+\\.[\\w.]+'
const everyEmail = ruleSet([{ path: '', pattern: email, action: 'replace' }])
const ada = 'ada@shop.example'
const ids = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) }
const times = { start_timestamp: 1_794_000_000, end_timestamp: 1_794_000_001 }
const user = { id: '7', email: ada, ip_address: '203.0.113.9' }

const items: TestItem[] = [
  {
    type: 'event',
    payload: {
      message: `no order for ${ada}`,
      user,
      breadcrumbs: [{ message: `mail ${ada}` }],
      request: { url: `https://x/?mail=${ada}`, data: `{"mail":"${ada}"}` },
      tags: { mail: ada },
      contexts: { account: { mail: ada } },
      exception: {
        values: [{ type: 'Error', value: ada, stacktrace: { frames: [{ function: 'f', vars: { m: ada } }] } }],
      },
    },
  },
  {
    type: 'transaction',
    payload: {
      transaction: `/users/${ada}`,
      user,
      ...times,
      timestamp: times.end_timestamp,
      contexts: { trace: { ...ids, data: { 'user.mail': ada } } },
      spans: [{ ...ids, ...times, timestamp: 1_794_000_001, description: `SELECT ${ada}`, data: { 'db.mail': ada } }],
    },
  },
  {
    type: 'span',
    headers: { item_count: 1 },
    payload: { version: 2, items: [{ ...ids, ...times, name: ada, attributes: { 'user.email': { value: ada } } }] },
  },
  {
    type: 'log',
    headers: { item_count: 1 },
    payload: { items: [{ timestamp: 1_794_000_000, body: `hello ${ada}`, attributes: { list: { value: [ada] } } }] },
  },
  {
    type: 'trace_metric',
    headers: { item_count: 1 },
    payload: { items: [{ name: 'mails', type: 'counter', value: 1, attributes: { to: { value: ada } } }] },
  },
  { type: 'session', payload: { sid: 'c'.repeat(32), did: ada, status: 'ok', attrs: { release: '1' } } },
  { type: 'feedback', payload: { contexts: { feedback: { message: `I am ${ada}`, contact_email: ada } } } },
  { type: 'user_report', payload: { event_id: 'd'.repeat(32), name: 'Ada', email: ada, comments: `I am ${ada}` } },
  { type: 'check_in', payload: { monitor_slug: 'job', status: 'ok', contexts: { note: ada } } },
  { type: 'replay_event', payload: { replay_id: 'e'.repeat(32), user, urls: [`https://x/?m=${ada}`] } },
  { type: 'attachment', headers: { filename: `invoice of ${ada}.txt` }, payload: 'x' },
]

describe('rules of a project', () => {
  it.each(items.map(item => [item.type, item] as const))('apply to every text of a %s', (_, item) => {
    const plain = JSON.stringify(processWith(null, item).rows)
    const { rows, groupedEvents, faults } = processWith(everyEmail, item)
    expect(plain).toContain(ada)
    expect(faults).toEqual([])
    expect(JSON.stringify([rows, groupedEvents])).not.toContain(ada)
    expect(JSON.stringify(rows)).toContain('[scrubbed]')
  })

  it('give the same result on a repeat', () => {
    expect(processWith(everyEmail, ...items)).toEqual(processWith(everyEmail, ...items))
  })

  it('never change the group of an event, and do change its title', () => {
    const [item] = items
    if (item === undefined) throw new Error('no item')
    const { payload } = item
    const message: TestItem = { type: 'event', payload: { message: `user ${ada} is gone`, user } }
    const fingerprinted: TestItem = { type: 'event', payload: { ...(payload as object), fingerprint: ['x', ada] } }
    const everything = ruleSet([
      { path: '*', pattern: '', action: 'remove' },
      { path: '', pattern: '(?s).+', action: 'replace' },
    ])
    for (const given of [item, message, fingerprinted]) {
      const [sent] = processWith(null, given).groupedEvents
      for (const rules of [everyEmail, everything]) {
        const { groupedEvents, rows } = processWith(rules, given)
        expect(groupedEvents[0]).toMatchObject({ groupHash: sent?.groupHash, groupVersion: sent?.groupVersion })
        expect(rows.events?.[0]).toMatchObject({ event_id: sent?.eventId, group_hash: sent?.groupHash })
        expect(rows.events?.[0]?.title).not.toContain(ada)
      }
    }
  })

  it('count users by their hash, and nobody by a replaced value', () => {
    const hashed = (payload: object) =>
      processWith(ruleSet([{ path: 'user.*', pattern: '', action: 'hash' }]), { type: 'event', payload }).rows
        .events?.[0]
    const replaced = processWith(ruleSet([{ path: 'user.*', pattern: '', action: 'replace' }]), {
      type: 'event',
      payload: { user },
    }).rows.events?.[0]
    const other = { ...user, id: '8' }
    expect(hashed({ user })?.user_id).toBe(hash('7'))
    expect(hashed({ user })?.user_hash).toBe(hashed({ user })?.user_hash)
    expect(hashed({ user })?.user_hash).not.toBe(hashed({ user: other })?.user_hash)
    expect(replaced).toMatchObject({ user_id: '[scrubbed]', user_hash: '0' })
  })

  it('say in the notes what they removed', () => {
    const { rows } = processWith(everyEmail, { type: 'event', payload: { message: 'x', extra: { mail: ada } } })
    const data = JSON.parse(rows.events?.[0]?.data ?? '{}')
    expect(data._hydrant.notes).toContainEqual({ path: 'extra.mail', kind: 'scrubbed' })
  })
})

describe('a project that stores no IP addresses', () => {
  const payload = {
    platform: 'javascript',
    user: { ip_address: '{{auto}}' },
    request: { headers: { 'X-Forwarded-For': '203.0.113.9' } },
  }
  const log = {
    type: 'log',
    headers: { item_count: 1 },
    payload: {
      ingest_settings: { infer_ip: 'auto' },
      items: [{ body: 'x', attributes: { 'client.address': { value: '203.0.113.9' } } }],
    },
  }
  const session = {
    type: 'session',
    payload: { sid: 'c'.repeat(32), status: 'ok', attrs: { ip_address: '{{auto}}', release: '1' } },
  }

  it.each([
    ['event', { type: 'event', payload }],
    ['log', log],
    ['session', session],
  ] as const)('keeps neither the address that a %s has nor that of its sender', (_, item) => {
    expect(JSON.stringify(processWith(null, item).rows)).toContain('203.0.113.')
    const { rows } = processWith(ruleSet([], true), item)
    expect(JSON.stringify(rows)).not.toContain('203.0.113.')
    for (const row of [...(rows.events ?? []), ...(rows.logs ?? []), ...(rows.sessions ?? [])])
      expect(row.user_hash).toBe('0')
  })
})
