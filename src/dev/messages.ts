/** Between the dev program and main, which it starts again after edits. */
export type ToMain =
  /** For programs that are launched in advance. */
  | { type: 'load' }
  | { type: 'go' }
  /** Process ids, null while a child is down. */
  | { type: 'children'; web: number | null; engine: number | null; isWebBroken: boolean }
  /** Comes with a socket of the public port. */
  | { type: 'connection' }
  | { type: 'from_web'; message: unknown }

export type FromMain =
  /** Its code is loaded; it begins when told to `go`. */
  | { type: 'loaded' }
  | { type: 'accepting' }
  /** The next one may begin: everything is closed, but for pages of web that are still sent. */
  | { type: 'stopped' }
  | { type: 'to_web'; message: object }

/** The other end is our own code. */
export const isMessage = (message: unknown): message is { type: string } =>
  typeof message === 'object' && message !== null && 'type' in message && typeof message.type === 'string'
