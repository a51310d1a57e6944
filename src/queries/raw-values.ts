/**
 * Readers of columns as the telemetry store writes them. A page asks for few rows of many columns, and there a function in the
 * question costs the portable engine more to plan than it costs us to read the plain answer.
 */

/** A UUID without its hyphens. */
export const plainUuid = (uuid: string): string => uuid.replaceAll('-', '')

/** A moment of a `DateTime64` in UTC, in milliseconds. */
export const readUtc = (text: string): number => Date.parse(text.includes('T') ? text : `${text.replace(' ', 'T')}Z`)

/** A span's id, a number of 64 bits, as 16 hex digits; '' where there is none. */
export const spanIdOf = (number: string): string =>
  number === '0' ? '' : BigInt(number).toString(16).padStart(16, '0')
