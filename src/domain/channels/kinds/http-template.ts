import { z } from 'zod'
import { escapeHtml } from '#domain/channels/text.ts'
import { formatWhole } from '#lib/format-whole.ts'
import type { OutboundRequest } from '#lib/outbound/send-request.ts'
import { hostOfUrl } from './fields.ts'
import { defineKind } from './kind.ts'
import { fillTemplate, findTemplateFault, templateNames, templateValues } from './template.ts'

/** They frame the request or name its target, so a template must not set them. */
const refusedHeaders = new Set(
  'host content-length transfer-encoding connection keep-alive upgrade te trailer expect proxy-authorization proxy-connection'.split(
    ' ',
  ),
)
const maxHeaders = 20

const template = (max: number) =>
  z
    .string()
    .max(max, `Use at most ${formatWhole(max)} characters.`)
    .superRefine((text, context) => {
      const fault = findTemplateFault(text)
      if (fault !== null) context.addIssue({ code: 'custom', message: fault })
    })

export const httpTemplate = defineKind({
  id: 'http-template',
  label: 'HTTP request',
  summary: 'A request of your own making, for services that are not in this list.',
  note: 'The server answered.',
  fields: [
    {
      name: 'method',
      label: 'Method',
      value: 'POST',
      choices: ['POST', 'PUT', 'PATCH', 'GET'].map(value => ({ value, label: value })),
    },
    { name: 'url', label: 'URL', placeholder: 'https://gotify.example/message?token=…', isSecret: true },
    {
      name: 'headers',
      label: 'Headers',
      placeholder: 'Authorization: Bearer …',
      help: 'One per line.',
      isSecret: true,
      isLong: true,
      isOptional: true,
    },
    {
      name: 'type',
      label: 'Content type',
      value: 'application/json',
      choices: [
        { value: 'application/json', label: 'JSON' },
        { value: 'application/x-www-form-urlencoded', label: 'Form' },
        { value: 'text/plain', label: 'Plain text' },
        { value: 'text/html', label: 'HTML' },
      ],
    },
    {
      name: 'body',
      label: 'Body',
      value: '{"text": "{{title}}: {{reason}}", "url": "{{url}}"}',
      help: `Values are escaped for the content type. {{name | json}} is a whole JSON value. Names: ${templateNames.join(', ')}.`,
      isLong: true,
      isOptional: true,
    },
  ],
  sample: { url: 'https://example.com/', headers: '' },
  schema: z.object({
    method: z.enum(['POST', 'PUT', 'PATCH', 'GET']).default('POST'),
    url: template(2_000).refine(
      text =>
        /^https?:\/\/[^/?#{}\s]+(?:[/?#]|$)/i.test(text.trim()) && URL.canParse(fillTemplate(text.trim(), () => 'x')),
      'Enter a URL that starts with https:// or http://. The host can’t be a {{name}}.',
    ),
    headers: template(4_000)
      .refine(
        text => readHeaders(text) !== null,
        'Enter one “Name: value” per line. Host, Content-Length and the like are set by Hydrant.',
      )
      .default(''),
    type: z
      .enum(['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'text/html'])
      .default('application/json'),
    body: template(10_000).default(''),
  }),
  target: ({ method, url }) => `${method} ${hostOfUrl(fillTemplate(url.trim(), () => 'x'))}`,
  render: (message, { method, url, headers, type, body }): OutboundRequest => {
    const values = templateValues(message)
    const value = (name: string) => values[name] ?? ''
    const oneLine = (text: string) => text.replaceAll(/[^\x20-\x7e]+/g, ' ')
    return {
      method,
      url: fillTemplate(url.trim(), name => encodeURIComponent(value(name))),
      headers: {
        'user-agent': 'Hydrant',
        ...(method === 'GET' ? {} : { 'content-type': `${type}; charset=utf-8` }),
        ...Object.fromEntries(
          (readHeaders(headers) ?? []).map(([name, text]) => [name, fillTemplate(text, each => oneLine(value(each)))]),
        ),
      },
      body:
        method === 'GET' ? '' : fillTemplate(body, (name, isJson) => escapeFor(isJson ? 'whole' : type, value(name))),
    }
  },
})

function escapeFor(type: string, value: string): string {
  if (type === 'whole') return JSON.stringify(value)
  if (type === 'application/json') return JSON.stringify(value).slice(1, -1)
  if (type === 'application/x-www-form-urlencoded') return encodeURIComponent(value)
  return type === 'text/html' ? escapeHtml(value) : value
}

/** Null if a line is no header, or one that frames the request. */
function readHeaders(text: string): [string, string][] | null {
  const lines = text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
  if (lines.length > maxHeaders) return null
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, Math.max(colon, 0)).trim().toLowerCase(), line.slice(colon + 1).trim()]
  })
  const isWrong = ([name, value]: [string, string]) =>
    !/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || refusedHeaders.has(name) || !/^[\x20-\x7e]*$/.test(value)
  return headers.some(isWrong) ? null : headers
}
