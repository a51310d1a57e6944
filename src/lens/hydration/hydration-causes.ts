/** Why server and browser rendered different things, as a table: what is looked for, what it means, what helps. The first that fits is the guess. */

import type { ChangedText } from './changed-text.ts'
import { findBadNesting } from './find-bad-nesting.ts'
import { isClockText, isLocaleChange, isRandomText } from './text-traits.ts'

export type HydrationCause = 'nesting' | 'extension' | 'locale' | 'clock' | 'random' | 'branch'

export type CauseInput = {
  about: string
  serverHtml: string
  clientHtml: string
  text: ChangedText
}

export type CauseRule = {
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

export const causeRules: readonly CauseRule[] = [
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
