const aliases = new Map([
  ['fatal', 'fatal'],
  ['critical', 'fatal'],
  ['error', 'error'],
  ['warning', 'warning'],
  ['warn', 'warning'],
  ['info', 'info'],
  ['log', 'info'],
  ['debug', 'debug'],
  ['trace', 'debug'],
])

/** SDKs leave the level out where they mean an error. */
export const readLevel = (value: unknown): string =>
  (typeof value === 'string' ? aliases.get(value.toLowerCase()) : undefined) ?? 'error'
