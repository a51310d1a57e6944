/** A message as its channel shows it, read from the request that the channel would get. */

/** A piece of text, as far as a channel gives it a look. */
export type Span = { text: string; href?: string; look?: 'bold' | 'code' }
export type Line = Span[]

export type Block =
  | { kind: 'title'; line: Line }
  | { kind: 'text'; lines: Line[]; isQuiet?: boolean }
  | { kind: 'facts'; facts: { label: string; value: string }[] }
  | { kind: 'buttons'; labels: string[] }

export const looks = [
  'slack',
  'mattermost',
  'discord',
  'teams',
  'google-chat',
  'telegram',
  'ntfy',
  'pagerduty',
] as const
export type Look = (typeof looks)[number]

export type Drawing =
  | { kind: 'card'; look: Look; color: string; blocks: Block[] }
  | { kind: 'mail'; from: string; to: string; subject: string; html: string }
  /** What arrives at a server that draws nothing. */
  | { kind: 'request'; head: string; headers: { name: string; value: string }[]; body: string }
