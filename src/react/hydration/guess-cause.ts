import type { StoredEvent } from '#protocol/event.ts'
import { findBadNesting } from './find-bad-nesting.ts'
import { type HydrationError, type HydrationFragments, readFragments, readHydration } from './read-hydration.ts'

type HydrationFinding = {
  error: HydrationError
  /** Null without the browser helper. */
  fragments: HydrationFragments | null
  text: ChangedText
  /** Null where there is nothing to go by. */
  guess: CauseRule | null
  /** Every rule, with whether it fits. Empty where there is nothing to look at. */
  checks: { rule: CauseRule; fits: boolean }[]
}

/**
 * What a hydration error tells; null for any other. React wraps errors that an app throws while it hydrates: those are
 * the app's, and the wrapping says nothing.
 */
export function guessCause(event: StoredEvent): HydrationFinding | null {
  const chain = event.exception?.values ?? []
  const errors = chain.map(({ value = '' }) => readHydration(value))
  const error = errors.at(-1)
  if (error === null || error === undefined || errors.includes(null)) return null
  const fragments = readFragments(event)
  const { server = '', client = '' } = fragments ?? {}
  const text = changedText(server, client)
  const input: CauseInput = { about: error.about, serverHtml: server, clientHtml: client, text }
  const hasEvidence = fragments !== null || error.about === 'nesting'
  const checks = hasEvidence ? causeRules.map(rule => ({ rule, fits: rule.matches(input) })) : []
  return { error, fragments, text, checks, guess: checks.find(({ fits }) => fits)?.rule ?? null }
}

/* Why server and browser rendered different things, as a table: what is looked for, what it means, what helps. The first that fits is the guess. */

type HydrationCause = 'nesting' | 'extension' | 'locale' | 'clock' | 'random' | 'branch'

type CauseInput = {
  about: string
  serverHtml: string
  clientHtml: string
  text: ChangedText
}

type CauseRule = {
  cause: HydrationCause
  /** The cause as a title. */
  name: string
  /** What was looked for. */
  check: string
  says: string
  advice: string
  matches: (input: CauseInput) => boolean
}

const extensionMarks =
  /data-gr-|data-new-gr-|grammarly|cz-shortcut-listen|data-lt-|bis_skin_checked|bis_register|data-darkreader|darkreader-|__processed_|data-lastpass|fdprocessedid|(?:chrome|moz|safari-web)-extension:|translated-(?:ltr|rtl)|<font [^>]{0,80}vertical-align: ?inherit|jf-ext-|data-dashlane|data-bitwarden|crx-|monica-/i

const causeRules: readonly CauseRule[] = [
  {
    cause: 'nesting',
    name: 'invalid nesting',
    check: 'Elements that HTML does not allow in each other',
    says: 'The browser’s parser moved an element out of one that may not contain it, so React found another tree than it rendered.',
    advice: 'Use an element that may hold the inner one, such as a div instead of a p.',
    matches: ({ about, clientHtml }) => about === 'nesting' || findBadNesting(clientHtml) !== null,
  },
  {
    cause: 'extension',
    name: 'altered by a browser extension',
    check: 'Marks of browser extensions or page translation',
    says: 'Something in the visitor’s browser changed the page before React took it over.',
    advice: 'Nothing in the app is wrong. suppressHydrationWarning on html and body keeps attributes from counting.',
    matches: ({ serverHtml, clientHtml }) => extensionMarks.test(serverHtml) || extensionMarks.test(clientHtml),
  },
  {
    cause: 'locale',
    name: 'another locale or time zone',
    check: 'The same digits, written in another order or with other separators',
    says: 'Server and browser format the same value for different languages or time zones.',
    advice: 'Give Intl and toLocaleString an explicit locale and time zone, or format after mount.',
    matches: ({ text }) => isLocaleChange(text),
  },
  {
    cause: 'random',
    name: 'a random value',
    check: 'Ids or numbers that look random differ',
    says: 'A value was made up while rendering, and each side made up its own.',
    advice: 'Take ids from useId, and random values from state that is set after mount.',
    matches: ({ text }) => isRandomText(text.server) && isRandomText(text.client),
  },
  {
    cause: 'clock',
    name: 'the clock was asked while rendering',
    check: 'Only numbers, dates or words of time differ',
    says: 'Server and browser asked the clock at different times.',
    advice:
      'Render the date itself on the server and make it relative after mount, or mark the element suppressHydrationWarning if a stale word is acceptable.',
    matches: ({ text }) => isClockText(text.server) && isClockText(text.client),
  },
  {
    cause: 'branch',
    name: 'a branch that only one side takes',
    check: 'Other words or elements on one side',
    says: 'The component renders something else in the browser: it asks for window, storage, cookies or the screen while rendering.',
    advice: 'Render the same on both sides first, and switch in an effect; or load the part with ssr: false.',
    matches: ({ serverHtml, clientHtml, text }) =>
      serverHtml !== clientHtml && (/\p{L}/u.test(text.server + text.client) || text.server === text.client),
  },
]

/* What a piece of text looks like to somebody who asks why it differs. */

const timeWord =
  /\b(?:now|just|today|yesterday|tomorrow|ago|in|last|next|an?|the|am|pm|utc|gmt|h|m|s|ms|mins?|secs?|hrs?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|good|morning|afternoon|evening|night)\b/gi

/** Numbers, dates and words of time, and nothing else. */
function isClockText(text: string): boolean {
  if (text === '') return false
  const rest = text.replace(timeWord, '').replace(/\d+|[\s.,:/+\-–—()TZ]/g, '')
  return rest === '' && /\d|\p{L}/u.test(text)
}

/** `1,234.5` and `1.234,5`, `11/15/2026` and `15.11.2026`: the same digits, and not the same text. */
function isLocaleChange({ server, client }: ChangedText): boolean {
  const [one, two] = [digitsOf(server), digitsOf(client)]
  const isSame = one.length >= 3 && one === two && server !== client
  const words = (text: string): number => text.replace(/\d/g, '').match(/\p{L}{2,}/gu)?.length ?? 0
  return isSame && words(server) <= 4 && words(client) <= 4
}

const digitsOf = (text: string): string => (text.match(/\d+/g) ?? []).toSorted().join('').split('').toSorted().join('')

const madeUp = /\b[0-9a-f]{8}-[0-9a-f]{4}-|(?:^|\D)0?\.\d{6}/i
const mixedWord = /\b(?=[a-z0-9_-]{0,64}\d)(?=[a-z0-9_-]{0,64}[a-z])[a-z0-9_-]{6,64}\b/i

/** A uuid, a long word of letters and digits that is no time, or a fraction with many places. */
const isRandomText = (text: string): boolean => madeUp.test(text) || (mixedWord.test(text) && !isClockText(text))

/** What differs between two fragments of HTML in the words that a visitor reads, widened to whole words. */
export type ChangedText = { server: string; client: string }

function changedText(serverHtml: string, clientHtml: string): ChangedText {
  const [server, client] = [textOfHtml(serverHtml), textOfHtml(clientHtml)]
  const most = Math.min(server.length, client.length)
  let start = 0
  while (start < most && server[start] === client[start]) start++
  let end = 0
  while (end < most - start && server.at(-1 - end) === client.at(-1 - end)) end++
  while (start > 0 && isInWord(server[start - 1])) start--
  while (end > 0 && isInWord(server.at(-end))) end--
  return {
    server: server.slice(start, server.length - end).trim(),
    client: client.slice(start, client.length - end).trim(),
  }
}

/** Separators too: half of `1,234.5` or of `15:04` says nothing. */
const isInWord = (char: string | undefined): boolean => char !== undefined && /[^\s<>()"]/.test(char)

const tag = /<[^<>]{0,2000}>/g
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

function textOfHtml(html: string): string {
  return html
    .replace(/<!--[^>]{0,200}-->/g, '')
    .replace(tag, ' ')
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (all, name: string) => entities[name] ?? all)
    .replace(/\s+/g, ' ')
    .trim()
}

/** The first piece of text, between two tags, that is another one on the other side: a phrase that people know from the page. */
export function changedPhrase(serverHtml: string, clientHtml: string): ChangedText {
  const [server, client] = [piecesOf(serverHtml), piecesOf(clientHtml)]
  const at = server.findIndex((piece, index) => piece !== client[index])
  const first = at === -1 ? server.length : at
  return { server: server[first] ?? '', client: client[first] ?? '' }
}

const piecesOf = (html: string): string[] =>
  html
    .replace(/<!--[^>]{0,200}-->/g, '')
    .split(tag)
    .map(textOfHtml)
    .filter(piece => piece !== '')
