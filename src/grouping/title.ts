import { isInApp } from '#lib/is-in-app.ts'
import { textOf } from '#lib/json-value.ts'
import { clipText } from '#lib/text.ts'
import type { Frame, StoredEvent } from '#protocol/event.ts'
import { findAnySkew } from '#react/deploy-skew.ts'
import { isForeignFrame, serverWorkOf } from '#react/frameworks/find-frameworks.ts'
import { failedStatus } from '#react/frameworks/thrown-response.ts'
import { type ChangedText, changedPhrase, guessCause } from '#react/hydration/guess-cause.ts'
import { routeOf } from '#react/route.ts'
import { isServerError } from '#react/server-error.ts'
import { messageOf } from './v1/message.ts'
import { bareFrames } from './v1/read-stack.ts'
import { parametrize } from './v3/parametrize.ts'

/** Chars. A title is one line of a list. */
const maxTitleChars = 200

/** The title of an event's issue. */
export function titleOf(event: StoredEvent): string {
  const error = event.exception?.values.at(-1)
  const known = error === undefined ? '' : reactTitle(event)
  if (known !== '') return clip(known)
  const message = event.logentry?.formatted ?? messageOf(event)
  if (error === undefined) return firstLine(message) || '<no message>'
  const value = firstLine(error.value ?? '')
  const type = error.mechanism?.synthetic === true && message !== '' ? '' : (error.type ?? '')
  if (type === '') return firstLine(message) || value || '<unknown error>'
  return value === '' ? type : clip(`${type}: ${value}`)
}

/** The transaction; without one, the in-app frame nearest to the throw, or the last frame of a stack without an error. */
export function culpritOf(event: StoredEvent): string {
  if (event.transaction !== undefined && event.transaction !== '') return clip(event.transaction)
  const frame = findCulpritFrame(event) ?? bareFrames(event).at(-1)
  return frame === undefined ? '' : clip(describeFrame(frame))
}

/** The in-app frame nearest to the throw. Without in-app frames, the last frame. */
export function findCulpritFrame(event: Pick<StoredEvent, 'exception'>): Frame | undefined {
  const frames = event.exception?.values.at(-1)?.stacktrace?.frames ?? []
  return frames.findLast(each => each.in_app === true && isInApp(each) && !isForeignFrame(each)) ?? frames.at(-1)
}

function describeFrame(frame: Frame): string {
  const where = textOf(frame.module) || textOf(frame.filename)
  const name = textOf(frame.function)
  return name === '' || name === '?' ? where : `${name} (${where})`
}

function firstLine(text: string): string {
  const trimmed = text.trimStart()
  const end = trimmed.indexOf('\n')
  return clip(end === -1 ? trimmed : trimmed.slice(0, end))
}

const clip = (text: string): string => (text.length > maxTitleChars ? `${clipText(text, maxTitleChars - 1)}…` : text)

/** Chars of each side in a title like “a” became “b”. */
const maxSideChars = 60

/** A better title than the framework's message, which is only a code or a chunk name; '' if the message is fine. */
function reactTitle(event: StoredEvent): string {
  if (findAnySkew(event) !== null) return skewTitle(event.release ?? '')
  if (isServerError(event)) return `ServerError: ${serverWorkOf(event)} failed`
  const status = failedStatus(event)
  if (status !== null) return `ThrownResponse: status ${status}${atRoute(event)}`
  const hydration = guessCause(event)
  if (hydration === null) return ''
  const { text, fragments, guess, error } = hydration
  const phrase = fragments && changedPhrase(fragments.server, fragments.client)
  const shown = phrase && isShort(phrase) ? phrase : text
  if (isShort(shown)) {
    // The title is that of the first event, and a value is that of its visit.
    const [server, client] = [parametrize(shown.server), parametrize(shown.client)]
    if (server !== '' && client !== '' && server !== client) return `HydrationError: “${server}” became “${client}”`
  }
  return `HydrationError: ${guess === null ? mismatchTitles[error.about] : guess.title}`
}

function atRoute({ transaction = '' }: StoredEvent): string {
  const route = routeOf(transaction)
  return route === '' ? '' : ` on ${route}`
}

/** The issue contains chunks, stylesheets and actions, so its title names none of them. */
export const skewTitle = (release: string): string =>
  `DeploySkew: open tabs request files of an old deploy${release === '' ? '' : ` (${release})`}`

const isShort = ({ server, client }: ChangedText): boolean =>
  server.length <= maxSideChars && client.length <= maxSideChars

const mismatchTitles = {
  text: 'server and browser text differ',
  markup: 'server and browser elements differ',
  attributes: 'server and browser attributes differ',
  nesting: 'invalid nesting',
  early: 'an update arrived before hydration finished',
  anything: 'server and browser rendered different content',
}
