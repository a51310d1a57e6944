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

/** The columns of an event that read like tags, under the names by which they are searched. */
export const tagColumns = [
  ['release', 'release'],
  ['environment', 'environment'],
  ['browser.name', 'browser_name'],
  ['os.name', 'os_name'],
  ['device', 'device'],
  ['route', 'route'],
  ['level', 'level'],
  ['server_name', 'server_name'],
] as const

/** What `tagPairs` is made of. */
export const tagPairsSource = ['tags', ...tagColumns.map(([, column]) => column)].join(', ')

/** They and the tags, as an array of `(name, value)`, for questions about shares; wants the parameter `perEvent`. */
export const tagPairs = `arrayConcat(
  [${tagColumns.map(([name, column]) => `('${name}', toString(${column}))`).join(', ')}],
  arraySlice(arrayMap((name, text) -> (toString(name), text), mapKeys(tags), mapValues(tags)), 1, {perEvent:UInt32})
)`
