import type { StoredEvent } from '#protocol/event.ts'
import { findBadNesting } from './find-bad-nesting.ts'
import { type HydrationError, type HydrationFragments, readFragments, readHydration } from './read-hydration.ts'

type HydrationFinding = {
  error: HydrationError
  /** Null without the hydration helper. */
  fragments: HydrationFragments | null
  text: ChangedText
  /** Null when no rule matches. */
  guess: CauseRule | null
  /** Every rule and whether it matches. Empty without evidence. */
  checks: { rule: CauseRule; fits: boolean }[]
}

/**
 * The likely cause of a hydration error; null for any other error. React also wraps errors that the app throws while it
 * hydrates. Those are the app's own, so a chain with any other error in it is not a hydration error.
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

type HydrationCause = 'nesting' | 'extension' | 'locale' | 'clock' | 'random' | 'branch'

type CauseInput = {
  about: string
  serverHtml: string
  clientHtml: string
  text: ChangedText
}

type CauseRule = {
  cause: HydrationCause
  /** Part of the fingerprint: never change it, or every existing issue of this cause splits. */
  hashedName: string
  /** Shown in titles and on the issue page. */
  title: string
  /** Says in the list of checks what the rule looks for. */
  check: string
  explanation: string
  advice: string
  matches: (input: CauseInput) => boolean
}

const extensionMarks =
  /data-gr-|data-new-gr-|grammarly|cz-shortcut-listen|data-lt-|bis_skin_checked|bis_register|data-darkreader|darkreader-|__processed_|data-lastpass|fdprocessedid|(?:chrome|moz|safari-web)-extension:|translated-(?:ltr|rtl)|<font [^>]{0,80}vertical-align: ?inherit|jf-ext-|data-dashlane|data-bitwarden|crx-|monica-/i

/** In this order: the first rule that matches is the guess. */
const causeRules: readonly CauseRule[] = [
  {
    cause: 'nesting',
    hashedName: 'invalid nesting',
    title: 'invalid nesting',
    check: 'Elements that HTML does not allow inside each other',
    explanation:
      'The browser’s parser moved an element out of a parent that may not contain it, so React found a different tree than it rendered.',
    advice: 'Use a parent that may contain the inner element, such as a div instead of a p.',
    matches: ({ about, clientHtml }) => about === 'nesting' || findBadNesting(clientHtml) !== null,
  },
  {
    cause: 'extension',
    hashedName: 'altered by a browser extension',
    title: 'changed by a browser extension',
    check: 'Traces of browser extensions or page translation',
    explanation: 'Something in the user’s browser changed the page before React hydrated it.',
    advice: 'The app is fine. Set suppressHydrationWarning on html and body to ignore their attributes.',
    matches: ({ serverHtml, clientHtml }) => extensionMarks.test(serverHtml) || extensionMarks.test(clientHtml),
  },
  {
    cause: 'locale',
    hashedName: 'another locale or time zone',
    title: 'different locale or time zone',
    check: 'The same digits in a different order or with different separators',
    explanation: 'Server and browser format the same value for different languages or time zones.',
    advice: 'Pass an explicit locale and time zone to Intl and toLocaleString, or format after mount.',
    matches: ({ text }) => isLocaleChange(text),
  },
  {
    cause: 'random',
    hashedName: 'a random value',
    title: 'random value',
    check: 'Different ids or numbers that look random',
    explanation: 'A value is generated while rendering, and server and browser each generate their own.',
    advice: 'Use useId for ids, and set random values in state after mount.',
    matches: ({ text }) => isRandomText(text.server) && isRandomText(text.client),
  },
  {
    cause: 'clock',
    hashedName: 'the clock was asked while rendering',
    title: 'current time read while rendering',
    check: 'Only numbers, dates or words like “ago” differ',
    explanation: 'Server and browser read the current time at different moments.',
    advice:
      'Render the date itself on the server and make it relative after mount, or set suppressHydrationWarning on the element if a stale value is acceptable.',
    matches: ({ text }) => isClockText(text.server) && isClockText(text.client),
  },
  {
    cause: 'branch',
    hashedName: 'a branch that only one side takes',
    title: 'server and browser render different branches',
    check: 'Different words or elements on one side',
    explanation:
      'The component renders something else in the browser because it checks window, storage, cookies or the screen while rendering.',
    advice: 'Render the same on both sides first and switch in an effect, or render the component only after mount.',
    matches: ({ serverHtml, clientHtml, text }) =>
      serverHtml !== clientHtml && (/\p{L}/u.test(text.server + text.client) || text.server === text.client),
  },
]

const timeWord =
  /\b(?:now|just|today|yesterday|tomorrow|ago|in|last|next|an?|the|am|pm|utc|gmt|h|m|s|ms|mins?|secs?|hrs?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|good|morning|afternoon|evening|night)\b/gi

/** Whether the text is only numbers, dates and words for times. */
function isClockText(text: string): boolean {
  if (text === '') return false
  const rest = text.replace(timeWord, '').replace(/\d+|[\s.,:/+\-–—()TZ]/g, '')
  return rest === '' && /\d|\p{L}/u.test(text)
}

/** `1,234.5` and `1.234,5`, `11/15/2026` and `15.11.2026`: the same digits in different text. */
function isLocaleChange({ server, client }: ChangedText): boolean {
  const [one, two] = [digitsOf(server), digitsOf(client)]
  const isSame = one.length >= 3 && one === two && server !== client
  const words = (text: string): number => text.replace(/\d/g, '').match(/\p{L}{2,}/gu)?.length ?? 0
  return isSame && words(server) <= 4 && words(client) <= 4
}

const digitsOf = (text: string): string => (text.match(/\d+/g) ?? []).toSorted().join('').split('').toSorted().join('')

const madeUp = /\b[0-9a-f]{8}-[0-9a-f]{4}-|(?:^|\D)0?\.\d{6}/i
const mixedWord = /\b(?=[a-z0-9_-]{0,64}\d)(?=[a-z0-9_-]{0,64}[a-z])[a-z0-9_-]{6,64}\b/i

/** A UUID, a long word of letters and digits that is not a time, or a fraction with many digits. */
const isRandomText = (text: string): boolean => madeUp.test(text) || (mixedWord.test(text) && !isClockText(text))

/** The visible text that differs between two fragments of HTML, widened to whole words. */
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

/** Separators count as part of a word: half of `1,234.5` or `15:04` would be useless. */
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

/** The first text between two tags that differs: a phrase that can be found on the page. */
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
