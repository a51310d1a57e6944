import type { z } from 'zod'
import type { AlertMessage } from '#domain/channels/message.ts'
import type { OutboundRequest, OutboundResponse } from '#lib/outbound/send-request.ts'

/** One input of the form of a channel. All settings are text. */
export type ChannelField = {
  name: string
  label: string
  help?: string
  placeholder?: string
  /** Stored encrypted, and never shown again. */
  isSecret?: boolean
  isOptional?: boolean
  /** A box of several lines. */
  isLong?: boolean
  choices?: readonly { value: string; label: string }[]
  value?: string
}

export type Settings = Readonly<Record<string, string>>
export type SettingsFaults = Record<string, string>

/** What became of one attempt. */
export type Verdict = {
  /** `rejected`: this message can't be delivered. `gone`: no message can, until a member repairs the channel. */
  outcome: 'sent' | 'retry' | 'rejected' | 'gone'
  /** How long the server wants us to wait. */
  retryAfterMs?: number
  /** Settings that the server has corrected. */
  changes?: Settings
}

export type RenderContext = {
  /** Milliseconds since 1970: signatures name the time of the attempt. */
  now: number
  publicUrl: string
}

export type ChannelKind = {
  id: string
  label: string
  /** What a member needs to set it up, in a sentence. */
  summary: string
  /** What a positive answer means. */
  note: string
  fields: readonly ChannelField[]
  /** Stands for the settings that are never shown, where a message is only drawn. */
  sample: Settings
  /** Opens and closes an alert for each subject: its messages are never collected into a summary. */
  isPager: boolean
  /** Fills in what a member leaves to us, such as a signing secret: the new values, which are shown once. */
  generate: ((settings: Settings) => Settings) | null
  /** Replaces the signing secret; the old one stays valid for a while where the receiver can check two. */
  rotate: ((settings: Settings, now: number) => Settings) | null
  parse(given: Settings): { ok: true; settings: Settings } | { ok: false; faults: SettingsFaults }
  /** Where it sends, for lists: never with a secret. */
  target(settings: Settings): string
  /** Null for email, which is not sent by HTTP. */
  render: ((message: AlertMessage, settings: Settings, context: RenderContext) => OutboundRequest) | null
  judge(response: OutboundResponse): Verdict
}

type Definition<Schema extends z.ZodType<Settings>> = Omit<
  ChannelKind,
  'parse' | 'render' | 'judge' | 'isPager' | 'target' | 'generate' | 'rotate'
> & {
  schema: Schema
  isPager?: boolean
  generate?: ChannelKind['generate']
  rotate?: ChannelKind['rotate']
  target(settings: z.output<Schema>): string
  render: ((message: AlertMessage, settings: z.output<Schema>, context: RenderContext) => OutboundRequest) | null
  /** Null where the status says enough. */
  judge?(response: OutboundResponse): Verdict | null
}

/** A kind whose functions get the settings as its schema parses them. */
export function defineKind<Schema extends z.ZodType<Settings>>({
  schema,
  isPager = false,
  generate = null,
  rotate = null,
  target,
  render,
  judge,
  ...kind
}: Definition<Schema>): ChannelKind {
  return {
    ...kind,
    isPager,
    generate,
    rotate,
    parse: given => {
      const parsed = schema.safeParse(given)
      if (parsed.success) return { ok: true, settings: parsed.data }
      const faults = parsed.error.issues.map(({ path, message }) => {
        const name = String(path[0] ?? '')
        return [name, given[name] === undefined ? 'This setting is missing.' : message]
      })
      return { ok: false, faults: Object.fromEntries(faults) }
    },
    target: settings => target(settings as z.output<Schema>),
    render: render && ((message, settings, context) => render(message, schema.parse(settings), context)),
    judge: response => judge?.(response) ?? judgeStatus(response),
  }
}

/** 4xx is permanent, except for those that ask to try again. What denies access or is gone denies every message. */
function judgeStatus({ status, headers }: OutboundResponse): Verdict {
  if (status >= 200 && status < 300) return { outcome: 'sent' }
  if ([401, 403, 404, 410].includes(status)) return { outcome: 'gone' }
  if (status >= 500 || [408, 425, 429].includes(status)) return { outcome: 'retry', ...readRetryAfter(headers) }
  return { outcome: 'rejected' }
}

const isHttpDate = (text: string): boolean => /^\w+, .*\d\d:\d\d:\d\d GMT$/.test(text)

/** Seconds or a date, which is compared with that of the server. Anything else is ignored. */
export function readRetryAfter(headers: Record<string, string>, now = Date.now()): { retryAfterMs?: number } {
  const text = (headers['retry-after'] ?? '').trim()
  if (/^\d+$/.test(text)) return { retryAfterMs: Number(text) * 1_000 }
  const at = isHttpDate(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) return {}
  const sentAt = Date.parse(headers.date ?? '')
  return { retryAfterMs: Math.max(0, at - (Number.isNaN(sentAt) ? now : sentAt)) }
}

/** A POST of JSON. */
export const postJson = (url: string, body: unknown, headers: Record<string, string> = {}): OutboundRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Hydrant', ...headers },
  body: JSON.stringify(body),
})
