/**
 * When traces happened, as far as this process has shown them: an address names a trace and no moment, and without one all days are
 * searched. Only a hint: where nothing is found near it, all days are searched after all. On globalThis, because Next has several
 * copies of this module.
 */
const key = Symbol.for('hydrant.trace-moments')
const holder = globalThis as { [key]?: Map<string, number> }
const most = 20_000 // two megabytes

/** `at` in milliseconds. */
export function noteTraceMoment(traceId: string, at: number): void {
  holder[key] ??= new Map()
  const moments = holder[key]
  const [oldest] = moments.keys()
  if (moments.size >= most && oldest !== undefined) moments.delete(oldest)
  moments.set(traceId, at)
}

export const traceMoment = (traceId: string): number | undefined => holder[key]?.get(traceId)
