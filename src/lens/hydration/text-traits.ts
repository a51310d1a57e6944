/** What a piece of text looks like to somebody who asks why it differs. */
import type { ChangedText } from './changed-text.ts'

const timeWord =
  /\b(?:now|just|today|yesterday|tomorrow|ago|in|last|next|an?|the|am|pm|utc|gmt|h|m|s|ms|mins?|secs?|hrs?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|good|morning|afternoon|evening|night)\b/gi

/** Numbers, dates and words of time, and nothing else. */
export function isClockText(text: string): boolean {
  if (text === '') return false
  const rest = text.replace(timeWord, '').replace(/\d+|[\s.,:/+\-–—()TZ]/g, '')
  return rest === '' && /\d|\p{L}/u.test(text)
}

/** `1,234.5` and `1.234,5`, `11/15/2026` and `15.11.2026`: the same digits, and not the same text. */
export function isLocaleChange({ server, client }: ChangedText): boolean {
  const [one, two] = [digitsOf(server), digitsOf(client)]
  const isSame = one.length >= 3 && one === two && server !== client
  const words = (text: string): number => text.replace(/\d/g, '').match(/\p{L}{2,}/gu)?.length ?? 0
  return isSame && words(server) <= 4 && words(client) <= 4
}

const digitsOf = (text: string): string => (text.match(/\d+/g) ?? []).toSorted().join('').split('').toSorted().join('')

const madeUp = /\b[0-9a-f]{8}-[0-9a-f]{4}-|(?:^|\D)0?\.\d{6}/i
const mixedWord = /\b(?=[a-z0-9_-]{0,64}\d)(?=[a-z0-9_-]{0,64}[a-z])[a-z0-9_-]{6,64}\b/i

/** A uuid, a long word of letters and digits that is no time, or a fraction with many places. */
export const isRandomText = (text: string): boolean => madeUp.test(text) || (mixedWord.test(text) && !isClockText(text))
