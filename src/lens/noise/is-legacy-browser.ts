/** The first major release of each that is not legacy: what can run the bundles that Next builds today. */
const firstModern = new Map([
  ['internet explorer', Number.POSITIVE_INFINITY],
  ['ie', Number.POSITIVE_INFINITY],
  ['safari', 16],
  ['mobile safari', 16],
  ['edge', 111],
  ['microsoft edge', 111],
  ['chrome', 111],
  ['chrome mobile', 111],
  ['chromium', 111],
  ['firefox', 111],
  ['firefox mobile', 111],
  ['opera', 100],
  ['opera mini', 35],
  ['android', 4],
  ['android browser', 4],
])

export function isLegacyBrowser(name: string, version: string): boolean {
  const first = firstModern.get(name.toLowerCase())
  const major = Number.parseInt(version, 10)
  return first !== undefined && (first === Number.POSITIVE_INFINITY || (Number.isFinite(major) && major < first))
}
