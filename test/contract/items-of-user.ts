import type { UserIdentifiers } from '#domain/privacy/erasures.ts'
import type { TestItem } from '../make-record.ts'

const hex = (seed: string): string => Buffer.from(seed.padEnd(16, '.')).toString('hex')
/** When everything here happens. */
export const now = Date.parse('2026-11-17T12:00:00Z')
const seconds = now / 1_000 - 60

const click = {
  type: 5,
  data: { tag: 'breadcrumb', payload: { timestamp: seconds, category: 'ui.click', message: 'b' } },
}

/** Everything that an app can send of a user. */
export function itemsOf(name: string, user: UserIdentifiers): { items: TestItem[]; envelope: object }[] {
  const { id, email, username, ip: ip_address } = user
  const person = { id, email, username, ip_address }
  const trace = { trace_id: hex(name), span_id: hex(name).slice(0, 16) }
  const attributes = { 'user.id': { value: id }, 'user.email': { value: email } }
  return [
    {
      envelope: { event_id: hex(`${name} e`) },
      items: [
        {
          type: 'event',
          payload: {
            message: `of ${name}`,
            timestamp: seconds,
            user: person,
            contexts: { replay: { replay_id: hex(`${name} r`) } },
          },
        },
        { type: 'attachment', headers: { filename: 'a.txt' }, payload: `bytes of ${name}` },
      ],
    },
    {
      envelope: { event_id: hex(`${name} f`) },
      items: [
        {
          type: 'feedback',
          payload: {
            timestamp: seconds,
            user: person,
            contexts: { feedback: { message: 'hi', contact_email: email } },
          },
        },
        { type: 'attachment', headers: { filename: 'screen.png' }, payload: 'x' },
      ],
    },
    {
      envelope: { event_id: hex(`${name} r`) },
      items: [
        {
          type: 'replay_event',
          payload: { replay_id: hex(`${name} r`), segment_id: 0, timestamp: seconds, user: person },
        },
        { type: 'replay_recording', payload: `{"segment_id":0}\n[${JSON.stringify(click)}]` },
      ],
    },
    {
      // A segment that names nobody, of the same recording.
      envelope: { event_id: hex(`${name} r`) },
      items: [
        { type: 'replay_event', payload: { replay_id: hex(`${name} r`), segment_id: 1, timestamp: seconds } },
        { type: 'replay_recording', payload: '{"segment_id":1}\n[2]' },
      ],
    },
    {
      envelope: {},
      items: [
        {
          type: 'transaction',
          payload: {
            user: person,
            start_timestamp: seconds,
            timestamp: seconds + 1,
            contexts: { trace },
            transaction: '/',
          },
        },
        {
          type: 'span',
          headers: { item_count: 1 },
          payload: {
            version: 2,
            items: [{ ...trace, name: 'x', start_timestamp: seconds, end_timestamp: seconds, attributes }],
          },
        },
        {
          type: 'log',
          headers: { item_count: 1 },
          payload: { items: [{ timestamp: seconds, body: 'x', attributes }] },
        },
        {
          type: 'trace_metric',
          headers: { item_count: 1 },
          payload: { items: [{ timestamp: seconds, name: 'm', type: 'counter', value: 1, attributes }] },
        },
        {
          type: 'session',
          payload: { sid: hex(`${name} s`), did: id, started: seconds, status: 'ok', attrs: { release: '1' } },
        },
      ],
    },
  ]
}
