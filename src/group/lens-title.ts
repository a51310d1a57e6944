import { type ChangedText, changedPhrase } from '#lens/hydration/changed-text.ts'
import { guessCause } from '#lens/hydration/guess-cause.ts'
import { isServerError } from '#lens/server-error/is-server-error.ts'
import { findSkew } from '#lens/skew/find-skew.ts'
import type { StoredEvent } from '#protocol/event.ts'

/** Chars of each side: a title is one line. */
const maxChars = 60

/** What happened, where the framework's own message says it in numbers or names of chunks; '' where the message tells. */
export function lensTitle(event: StoredEvent): string {
  if (findSkew(event) !== null) return skewTitle(event.release ?? '')
  if (isServerError(event)) return 'ServerError: a server component or action failed'
  const hydration = guessCause(event)
  if (hydration === null) return ''
  const { text, fragments, guess, error } = hydration
  const phrase = fragments && changedPhrase(fragments.server, fragments.client)
  const shown = phrase && isShort(phrase) ? phrase : text
  if (isShort(shown) && shown.server !== '' && shown.client !== '' && shown.server !== shown.client)
    return `HydrationError: “${shown.server}” became “${shown.client}”`
  return `HydrationError: ${guess === null ? aboutSays[error.about] : guess.name}`
}

/** The issue holds chunks, stylesheets and actions alike, so its title names none of them. */
const skewTitle = (release: string): string =>
  `DeploySkew: open tabs ask for parts that are gone${release === '' ? '' : `, release ${release}`}`

const isShort = ({ server, client }: ChangedText): boolean => server.length <= maxChars && client.length <= maxChars

const aboutSays = {
  text: 'the text of server and browser differs',
  markup: 'the elements of server and browser differ',
  attributes: 'attributes of server and browser differ',
  nesting: 'invalid nesting',
  early: 'an update came before hydration was done',
  anything: 'server and browser rendered different content',
}
