/** What each kind sends stays within the documented limits of its service and says nothing that text of an event could mean there. */
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AlertMessage } from '#domain/channels/message.ts'
import { hostileMessage, hostileTexts, hydrantUrl, makeMessage } from '../../../../test/channels/make-message.ts'
import type { Settings } from './kind.ts'
import { channelKinds, findKind } from './list.ts'

const context = { now: 1_794_837_911_000, publicUrl: hydrantUrl }
const webhookSecret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
const settings: Record<string, Settings> = {
  slack: { url: 'https://hooks.slack.com/services/T/B/x', format: 'slack' },
  discord: { url: 'https://discord.com/api/webhooks/1/x' },
  teams: { url: 'https://x.logic.azure.com/workflows/1?sig=x' },
  telegram: { token: '123:abc', chat: '-100123', topic: '' },
  'google-chat': { url: 'https://chat.googleapis.com/v1/spaces/A/messages?key=k&token=t' },
  ntfy: { server: 'https://ntfy.sh', topic: 'acme', token: 'tk_1' },
  pagerduty: { routingKey: 'a'.repeat(32), region: 'eu' },
  webhook: { url: 'https://example.com/hook', secret: webhookSecret },
  'sentry-webhook': { url: 'https://example.com/sentry', secret: 'c'.repeat(32) },
  'http-template': {
    method: 'POST',
    url: 'https://example.com/{{issue.title}}?x={{title}}',
    headers: 'X-Title: {{title}}\nAuthorization: Bearer abc',
    type: 'application/json',
    body: '{"text": "{{title}} {{reason}}", "all": {{issue.title | json}}}',
  },
}

function render(kind: string, message: AlertMessage, given = settings[kind] ?? {}) {
  const found = findKind(kind)
  if (!found?.render) throw new Error(kind)
  const parsed = found.parse(given)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults))
  return found.render(message, parsed.settings, context)
}
// biome-ignore lint/suspicious/noExplicitAny: the shape is what is tested
const bodyOf = (kind: string, message: AlertMessage, given?: Settings): any =>
  JSON.parse(render(kind, message, given).body)

/** Every text in a JSON value. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => [key, ...textsOf(each)])
}
const own = (url: string) => url.startsWith(hydrantUrl) || url.startsWith('https://x.example/')
/** What stands in angle brackets may only be a link of ours. */
const bracketsOf = (text: string) => [...text.matchAll(/<([^>]*)>/g)].map(([, inside = '']) => inside)
const markdownTargets = (text: string) => [...text.matchAll(/(?<!\\)\]\(([^)]*)/g)].map(([, target = '']) => target)

const checks: Record<string, (message: AlertMessage) => void> = {
  slack: message => {
    const body = bodyOf('slack', message)
    expect(body.text.length).toBeLessThanOrEqual(3_000)
    expect(body).toMatchObject({ parse: 'none', link_names: false })
    const { blocks } = body.attachments[0]
    expect(blocks.length).toBeLessThanOrEqual(50)
    expect(textsOf(blocks).join('').length).toBeLessThan(13_200)
    for (const block of blocks) {
      if (block.type === 'header') expect(block.text.text.length).toBeLessThanOrEqual(150)
      if (block.type === 'section' && block.text) expect(block.text.text.length).toBeLessThanOrEqual(3_000)
      expect((block.fields ?? []).length).toBeLessThanOrEqual(10)
      for (const field of block.fields ?? []) expect(field.text.length).toBeLessThanOrEqual(2_000)
      const marked = [block.text, ...(block.fields ?? []), ...(block.type === 'context' ? block.elements : [])]
      for (const each of marked.filter(one => one?.type === 'mrkdwn')) {
        expect(each.verbatim).toBe(true)
        expect(bracketsOf(each.text).every(own)).toBe(true)
      }
      for (const button of block.type === 'actions' ? block.elements : []) {
        expect(button.text.text.length).toBeLessThanOrEqual(75)
        expect(own(button.url)).toBe(true)
      }
    }
    expect(bracketsOf(body.text)).toEqual([])
    const other = bodyOf('slack', message, { ...settings.slack, format: 'mattermost' })
    const shown = [other.attachments[0].title, other.attachments[0].text, other.attachments[0].fallback].join(' ')
    expect(shown).not.toMatch(/@(?:everyone|here|channel|all)|<!/)
    expect(markdownTargets(other.attachments[0].text).every(own)).toBe(true)
  },
  discord: message => {
    expect(render('discord', message).url).toBe('https://discord.com/api/webhooks/1/x?wait=true')
    const body = bodyOf('discord', message)
    expect(body.allowed_mentions).toEqual({ parse: [] })
    expect(body.content).toBeUndefined()
    const [embed] = body.embeds
    expect(embed.title.length).toBeGreaterThan(0)
    expect(embed.title.length).toBeLessThanOrEqual(256)
    expect(embed.description.length).toBeLessThanOrEqual(4_096)
    expect(embed.fields.length).toBeLessThanOrEqual(25)
    for (const field of embed.fields) {
      expect(field.name.length).toBeLessThanOrEqual(256)
      expect(field.value.length).toBeLessThanOrEqual(1_024)
    }
    const counted = [embed.title, embed.description, embed.footer.text, ...textsOf(embed.fields)]
    expect(counted.join('').length).toBeLessThanOrEqual(6_000)
    expect(markdownTargets(embed.description).every(own)).toBe(true)
  },
  teams: message => {
    const request = render('teams', message)
    expect(Buffer.byteLength(request.body)).toBeLessThan(21_000)
    const { content } = JSON.parse(request.body).attachments[0]
    expect(content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' })
    expect(content.body.length).toBeGreaterThan(0)
    for (const text of textsOf(content.body)) expect(markdownTargets(text).every(own)).toBe(true)
    for (const action of content.actions) expect(own(action.url)).toBe(true)
  },
  telegram: message => {
    const { text, parse_mode } = bodyOf('telegram', message)
    expect(parse_mode).toBe('HTML')
    expect(text.length).toBeGreaterThan(0)
    expect(text.length).toBeLessThanOrEqual(4_096)
    // Only whole tags of ours, and nobody is named.
    for (const tag of bracketsOf(text)) expect(tag).toMatch(/^(?:\/?(?:b|code)|\/a|a href="https:\/\/[^"<>]*")$/)
    expect(text.replaceAll(/<[^>]*>/g, '')).not.toMatch(/[<>]/)
    expect(text.replaceAll(/<[^>]*>/g, '')).not.toMatch(/@\w/)
    for (const tag of ['b', 'a', 'code'])
      expect(text.match(new RegExp(`<${tag}[ >]`, 'g'))?.length).toBe(text.match(new RegExp(`</${tag}>`, 'g'))?.length)
  },
  'google-chat': message => {
    const request = render('google-chat', message)
    expect(Buffer.byteLength(request.body)).toBeLessThan(32_000)
    expect(new URL(request.url).searchParams.get('messageReplyOption')).toBe('REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
    const body = JSON.parse(request.body)
    expect(body.text).toBeUndefined()
    for (const { textParagraph, decoratedText } of body.cardsV2[0].card.sections[0].widgets)
      for (const tag of bracketsOf(textParagraph?.text ?? decoratedText?.text ?? ''))
        expect(tag).toMatch(/^(?:\/a|a href="https:\/\/[^"<>]*")$/)
  },
  ntfy: message => {
    const { url, headers, body } = render('ntfy', message)
    const sent = JSON.parse(body)
    expect([url, headers.authorization]).toEqual(['https://ntfy.sh/', 'Bearer tk_1'])
    expect(Buffer.byteLength(sent.message)).toBeLessThanOrEqual(4_096)
    expect(sent.message.length).toBeGreaterThan(0)
    expect(sent.markdown).toBeUndefined()
    expect(sent.actions.length).toBeLessThanOrEqual(3)
    expect(sent.priority).toBeGreaterThanOrEqual(1)
    expect(sent.priority).toBeLessThanOrEqual(5)
  },
  pagerduty: message => {
    const request = render('pagerduty', message)
    expect(request.url).toBe('https://events.eu.pagerduty.com/v2/enqueue')
    expect(Buffer.byteLength(request.body)).toBeLessThan(512_000)
    const sent = JSON.parse(request.body)
    expect(sent.event_action).toBe(message.action === 'close' ? 'resolve' : 'trigger')
    expect(sent.dedup_key.length).toBeLessThanOrEqual(255)
    if (sent.event_action === 'resolve') return
    expect(sent.payload.summary.length).toBeGreaterThan(0)
    expect(sent.payload.summary.length).toBeLessThanOrEqual(1_024)
    expect(['critical', 'error', 'warning', 'info']).toContain(sent.payload.severity)
  },
  webhook: message => {
    const { headers, body } = render('webhook', message)
    const key = Buffer.from(webhookSecret.slice(6), 'base64')
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(content).digest('base64')}`)
    expect(headers['webhook-id']).toBe(message.id)
    expect(JSON.parse(body)).toMatchObject({ id: message.id, type: message.type })
  },
  'sentry-webhook': message => {
    const { headers, body } = render('sentry-webhook', message)
    expect(headers['sentry-hook-signature']).toBe(createHmac('sha256', 'c'.repeat(32)).update(body).digest('hex'))
    const { action, data } = JSON.parse(body)
    const shape: Record<string, string[]> = {
      event_alert: ['triggered'],
      issue: ['resolved'],
      metric_alert: ['critical', 'warning', 'resolved'],
    }
    expect(shape[headers['sentry-hook-resource'] ?? '']).toContain(action)
    expect(Object.keys(data).length).toBeGreaterThan(0)
  },
  'http-template': message => {
    const { url, headers, body } = render('http-template', message)
    expect(new URL(url).origin).toBe('https://example.com')
    expect(new URL(url).pathname.split('/')).toHaveLength(2)
    expect(Object.keys(JSON.parse(body))).toEqual(['text', 'all'])
    expect(headers['x-title']).toMatch(/^[\x20-\x7e]*$/)
  },
}

test('every kind that sends HTTP is checked below', () => {
  expect(Object.keys(checks).sort()).toEqual(
    channelKinds
      .filter(({ render }) => render !== null)
      .map(({ id }) => id)
      .sort(),
  )
})

describe.each(Object.keys(checks))('%s', kind => {
  const check = (message: AlertMessage) => {
    const { headers, body } = render(kind, message)
    expect(Object.values(headers).join('')).toMatch(/^[\x20-\x7e]*$/)
    const texts = textsOf(JSON.parse(body))
    expect(texts.filter(text => !text.isWellFormed() || /[\u202a-\u202e\u2066-\u2069\0]/.test(text))).toEqual([])
    checks[kind]?.(message)
  }
  test('keeps to its limits with every hostile text', () => {
    for (const text of hostileTexts)
      check(
        makeMessage({ title: text, reason: text, body: text, culprit: text, facts: [{ label: text, value: text }] }),
      )
  })
  test('keeps to its limits with any message', () => {
    fc.assert(fc.property(hostileMessage, check), { numRuns: 60 })
  })
})

test('a summary lists what it stands for', () => {
  const items = Array.from({ length: 20 }, (_, index) => ({
    title: `Error ${index}`,
    url: `${hydrantUrl}/i/${index}`,
    projectId: 1,
  }))
  const message = makeMessage({ kind: 'summary', type: 'summary', items, more: 470 })
  for (const kind of ['slack', 'discord', 'teams', 'telegram', 'google-chat', 'ntfy'])
    expect(textsOf(bodyOf(kind, message)).join('\n'), kind).toMatch(/Error 0[\s\S]*Error 19[\s\S]*and 470 more/)
})

test('PagerDuty opens and closes the same alert', () => {
  const opened = bodyOf('pagerduty', makeMessage({ subjectKey: 'incident/981' }))
  const closed = bodyOf('pagerduty', makeMessage({ subjectKey: 'incident/981', action: 'close' }))
  expect(opened).toMatchObject({ event_action: 'trigger', dedup_key: 'hydrant/acme/incident/981' })
  expect(closed).toEqual({ routing_key: 'a'.repeat(32), event_action: 'resolve', dedup_key: opened.dedup_key })
  const long = 'incident/'.repeat(60)
  expect(bodyOf('pagerduty', makeMessage({ subjectKey: long })).dedup_key).toBe(
    bodyOf('pagerduty', makeMessage({ subjectKey: long, action: 'close' })).dedup_key,
  )
})

test('a webhook signs with both secrets while they are being replaced, and only with the new one afterwards', () => {
  const kind = findKind('webhook')
  const rotated = { ...settings.webhook, ...kind?.rotate?.(settings.webhook ?? {}, context.now) }
  const signaturesAt = (now: number) =>
    kind?.render?.(makeMessage(), rotated, { ...context, now }).headers['webhook-signature']?.split(' ').length
  expect(rotated.secret).not.toBe(webhookSecret)
  expect(signaturesAt(context.now + 1_000)).toBe(2)
  expect(signaturesAt(context.now + 25 * 60 * 60_000)).toBe(1)
})

test.each([
  ['slack', 404, 'no_service', 'gone'],
  ['slack', 410, 'channel_is_archived', 'gone'],
  ['slack', 400, 'invalid_token', 'gone'],
  ['slack', 400, 'invalid_blocks', 'rejected'],
  ['slack', 200, 'ok', 'sent'],
  ['slack', 503, '', 'retry'],
  ['discord', 404, '{"message":"Unknown Webhook"}', 'gone'],
  ['telegram', 403, '{"ok":false,"description":"Forbidden: bot was blocked by the user"}', 'gone'],
  ['telegram', 400, '{"ok":false,"description":"Bad Request: chat not found"}', 'gone'],
  ['telegram', 400, '{"ok":false,"description":"Bad Request: message is too long"}', 'rejected'],
  ['pagerduty', 202, '{"status":"success"}', 'sent'],
  ['pagerduty', 400, '{"errors":["Invalid routing key"]}', 'gone'],
  ['webhook', 302, '', 'rejected'],
  ['webhook', 408, '', 'retry'],
  ['webhook', 425, '', 'retry'],
  ['webhook', 500, '', 'retry'],
  ['webhook', 401, '', 'gone'],
  ['webhook', 422, '', 'rejected'],
])('%s: %i %s means %s', (kind, status, body, outcome) => {
  expect(findKind(kind)?.judge({ status, body, headers: {} }).outcome).toBe(outcome)
})

test('a server says how long to wait', () => {
  const waits = (kind: string, headers: Record<string, string>, body = '') =>
    findKind(kind)?.judge({ status: 429, body, headers }).retryAfterMs
  expect(waits('webhook', { 'retry-after': '7' })).toBe(7_000)
  expect(waits('webhook', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' })).toBe(0)
  expect(waits('webhook', { 'retry-after': 'soon' })).toBeUndefined()
  expect(waits('discord', {}, '{"retry_after":4.2}')).toBe(4_200)
  expect(waits('telegram', {}, '{"parameters":{"retry_after":12}}')).toBe(12_000)
})

test('a Telegram group that has become a supergroup is written to by its new id', () => {
  const body = '{"ok":false,"error_code":400,"parameters":{"migrate_to_chat_id":-1001}}'
  expect(findKind('telegram')?.judge({ status: 400, body, headers: {} })).toEqual({
    outcome: 'retry',
    retryAfterMs: 0,
    changes: { chat: '-1001' },
  })
})

test('an HTTP template escapes for its content type and refuses what frames a request', () => {
  const title = '"a" & <b>\n{{title}}'
  const bodyAs = (type: string, body: string) =>
    render('http-template', makeMessage({ title }), { ...settings['http-template'], type, body }).body
  expect(bodyAs('application/json', '{{title | json}}')).toBe('"\\"a\\" & <b> {{title}}"')
  expect(bodyAs('application/x-www-form-urlencoded', 't={{title}}')).toBe(
    't=%22a%22%20%26%20%3Cb%3E%20%7B%7Btitle%7D%7D',
  )
  expect(bodyAs('text/html', '<p>{{title}}</p>')).toBe('<p>&quot;a&quot; &amp; &lt;b&gt; {{title}}</p>')
  const faultsOf = (given: Settings) => {
    const parsed = findKind('http-template')?.parse({ ...settings['http-template'], ...given })
    return parsed?.ok ? [] : Object.keys(parsed?.faults ?? {})
  }
  expect(faultsOf({ headers: 'Host: evil.example' })).toEqual(['headers'])
  expect(faultsOf({ headers: 'Transfer-Encoding: chunked' })).toEqual(['headers'])
  expect(faultsOf({ headers: 'no colon' })).toEqual(['headers'])
  expect(faultsOf({ url: 'https://{{title}}/x' })).toEqual(['url'])
  expect(faultsOf({ url: 'https://a.{{title}}/x' })).toEqual(['url'])
  expect(faultsOf({ body: '{{secret}}' })).toEqual(['body'])
  expect(faultsOf({ body: '{{title | upper}}' })).toEqual(['body'])
})
