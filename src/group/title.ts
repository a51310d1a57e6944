/** What an issue is called, and where it happened. */
import { clipText } from '#lib/clip-text.ts'
import { isInApp } from '#lib/is-in-app.ts'
import type { Frame, StoredEvent } from '#protocol/event.ts'
import { lensTitle } from './lens-title.ts'
import { messageOf } from './v1/message-of.ts'

/** Chars. A title is one line of a list. */
const maxTitleChars = 200

export function titleOf(event: StoredEvent): string {
  const error = event.exception?.values.at(-1)
  const known = error === undefined ? '' : lensTitle(event)
  if (known !== '') return clip(known)
  const message = event.logentry?.formatted ?? messageOf(event)
  if (error === undefined) return firstLine(message) || '<no message>'
  const value = firstLine(error.value ?? '')
  const type = error.mechanism?.synthetic === true && message !== '' ? '' : (error.type ?? '')
  if (type === '') return firstLine(message) || value || '<unknown error>'
  return value === '' ? type : clip(`${type}: ${value}`)
}

/** The route for people; where there is none, the app's frame nearest to the throw. */
export function culpritOf(event: StoredEvent): string {
  if (event.transaction !== undefined && event.transaction !== '') return clip(event.transaction)
  const frames = event.exception?.values.at(-1)?.stacktrace?.frames ?? []
  const frame = frames.findLast(each => each.in_app === true && isInApp(each)) ?? frames.at(-1)
  return frame === undefined ? '' : clip(place(frame))
}

function place(frame: Frame): string {
  const where = frame.module ?? frame.filename ?? ''
  const name = frame.function ?? ''
  return name === '' || name === '?' ? where : `${name} (${where})`
}

function firstLine(text: string): string {
  const trimmed = text.trimStart()
  const end = trimmed.indexOf('\n')
  return clip(end === -1 ? trimmed : trimmed.slice(0, end))
}

const clip = (text: string): string => (text.length > maxTitleChars ? `${clipText(text, maxTitleChars - 1)}…` : text)
