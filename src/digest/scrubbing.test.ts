import { describe, expect, it } from 'vitest'
import { makeRecord, testContext } from '../../test/make-record.ts'
import { processRecord } from './process-record.ts'

const secrets = ['hunter2', 'tok-123456', '4111111111111111', 's3ss10n']

const processItem = (type: string, payload: unknown) => processRecord(makeRecord([{ type, payload }]), testContext)

describe('scrubbing', () => {
  it('removes private values from every part of an event, and its notes say where', () => {
    const { rows } = processItem('event', {
      message: 'login with password=hunter2',
      exception: {
        values: [
          {
            type: 'Error',
            value: 'card 4111 1111 1111 1111 refused',
            stacktrace: { frames: [{ function: 'f', vars: { password: 'hunter2', n: 1 } }] },
          },
        ],
      },
      request: {
        url: 'https://x/?token=tok-123456&a=1',
        headers: [
          ['Cookie', 'sid=s3ss10n'],
          ['Accept', '*/*'],
        ],
        cookies: { sid: 's3ss10n' },
        data: 'user=bob&password=hunter2',
        query_string: [
          ['token', 'tok-123456'],
          ['a', '1'],
        ],
      },
      extra: {
        config: { apiKey: 'tok-123456', port: 80 },
        card: 4111111111111111,
        list: [{ name: 'password', value: 'hunter2' }],
      },
      breadcrumbs: [{ category: 'fetch', data: { url: '/?password=hunter2', body: '{"secret":"hunter2"}' } }],
      tags: { session_id: 's3ss10n', page: 'cart' },
      contexts: { trace: { data: { 'http.request.header.cookie': ['sid=s3ss10n'] } } },
      modules: { cookie: '1.0.2' },
    })
    const row = rows.events?.[0]
    const stored = JSON.stringify(row)
    for (const secret of secrets) expect(stored).not.toContain(secret)
    expect(stored).not.toContain('4111 1111')
    const data = JSON.parse(row?.data ?? '')
    expect(data.modules).toEqual({ cookie: '1.0.2' })
    expect(data.exception.values[0].stacktrace.frames[0].vars).toEqual({ password: '[scrubbed]', n: 1 })
    expect(row?.url).toBe('https://x/?token=[scrubbed]&a=1')
    const paths = data._hydrant.notes.map((note: { path: string }) => note.path)
    expect(paths).toEqual(
      expect.arrayContaining([
        'logentry.message',
        'exception.values.0.value',
        'request.headers.Cookie',
        'request.data',
        'extra.config.apiKey',
        'extra.card',
        'tags.session_id',
        'request.query_string.0',
      ]),
    )
  })

  it('removes private values from columns and attributes of spans and logs', () => {
    const attributes = {
      'url.full': { value: 'https://x/?token=tok-123456', type: 'string' },
      'http.request.header.cookie': { value: ['sid=s3ss10n'], type: 'array' },
      'http.request.body.data': { value: '{"password":"hunter2"}', type: 'string' },
      card: { value: 4111111111111111, type: 'integer' },
    }
    const span = {
      trace_id: 'a'.repeat(32),
      span_id: 'b'.repeat(16),
      name: 'GET /?password=hunter2',
      start_timestamp: 1,
      end_timestamp: 2,
      attributes,
    }
    const spans = processItem('span', { items: [span] }).rows.spans
    const logs = processItem('log', { items: [{ body: 'password=hunter2 token=tok-123456', attributes }] }).rows.logs
    for (const stored of [JSON.stringify(spans), JSON.stringify(logs)]) {
      for (const secret of secrets) expect(stored).not.toContain(secret)
    }
    expect(spans?.[0]?.url).toBe('https://x/?token=[scrubbed]')
    expect(spans?.[0]?.attributes['hydrant.notes']).toContain('scrubbed http.request.header.cookie')
    expect(logs?.[0]?.body).toBe('password=[scrubbed] token=[scrubbed]')
  })

  it('keeps ids, releases and stack frames', () => {
    const payload = {
      event_id: '4111111111111111aaaaaaaaaaaaaaaa',
      release: '4111111',
      contexts: { trace: { trace_id: '86703bfcf97e4247a5b73304605832ce', span_id: 'a9fda22190409b18' } },
      exception: [
        {
          type: 'E',
          stacktrace: {
            frames: [{ function: 'getToken', lineno: 4111, colno: 5500005555, context_line: 'token = readToken()' }],
          },
        },
      ],
    }
    const row = processItem('event', payload).rows.events?.[0]
    expect(JSON.parse(row?.data ?? '').exception.values[0].stacktrace.frames[0]).toMatchObject({
      colno: 5500005555,
      context_line: 'token = readToken()',
    })
    expect(row?.trace_id).toBe('86703bfcf97e4247a5b73304605832ce')
    expect(JSON.parse(row?.data ?? '')._hydrant).toBeUndefined()
  })
})
