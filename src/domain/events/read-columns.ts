/**
 * Readers of raw column values. For few rows, an SQL function costs the WASM fallback more to plan than parsing costs here.
 */

/** A UUID without its hyphens. */
export const plainUuid = (uuid: string): string => uuid.replaceAll('-', '')

/** A `DateTime64` in UTC, in milliseconds. */
export const readUtc = (text: string): number => Date.parse(text.includes('T') ? text : `${text.replace(' ', 'T')}Z`)

/** A 64-bit span id as 16 hex digits; '' for 0. */
export const spanIdOf = (number: string): string =>
  number === '0' ? '' : BigInt(number).toString(16).padStart(16, '0')

/** Columns of an event that are shown as tags, with their search keys. */
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

/** The columns that `tagPairs` needs. */
export const tagPairsSource = ['tags', ...tagColumns.map(([, column]) => column)].join(', ')

/** These columns and the tags as an array of `(name, value)`; needs the parameter `perEvent`. */
export const tagPairs = `arrayConcat(
  [${tagColumns.map(([name, column]) => `('${name}', toString(${column}))`).join(', ')}],
  arraySlice(arrayMap((name, text) -> (toString(name), text), mapKeys(tags), mapValues(tags)), 1, {perEvent:UInt32})
)`
