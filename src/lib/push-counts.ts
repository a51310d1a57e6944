/** Sends the parent process the numbers of running and waiting work in this child, for `/metrics`. */
const everyMs = 250

export function pushCounts<Counts extends Record<string, number>>(type: string, read: () => Counts): void {
  let last = ''
  setInterval(() => {
    const counts = read()
    const text = JSON.stringify(counts)
    if (text === last || process.connected === false) return
    last = text
    process.send?.({ type, counts })
  }, everyMs).unref()
}

/** In the parent: the counts of a message of this type, otherwise null. */
export function readCounts<Counts>(type: string, message: unknown): Counts | null {
  const isCounts = typeof message === 'object' && message !== null && 'type' in message && message.type === type
  return isCounts && 'counts' in message ? (message.counts as Counts) : null
}
