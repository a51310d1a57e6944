/** What waits in the inbox: how much, and since when. Fed by appends and commits, so asking costs nothing. */
export type Backlog = {
  appended(records: number, bytes: number, at: number): void
  committed(records: number, bytes: number): void
  readonly records: number
  readonly bytes: number
  oldestSeconds(now: number): number
}

type Group = { at: number; records: number }

export function createBacklog(): Backlog {
  const groups: Group[] = []
  let records = 0
  let bytes = 0
  return {
    appended: (count, size, at) => {
      records += count
      bytes += size
      const last = groups.at(-1)
      // One entry a tenth of a second is exact enough for an age in seconds, and bounds the list.
      if (last && at - last.at < 100) last.records += count
      else groups.push({ at, records: count })
    },
    committed: (count, size) => {
      records = Math.max(0, records - count)
      bytes = records === 0 ? 0 : Math.max(0, bytes - size)
      for (let left = count; left > 0 && groups[0]; ) {
        const taken = Math.min(left, groups[0].records)
        groups[0].records -= taken
        left -= taken
        if (groups[0].records === 0) groups.shift()
      }
    },
    get records() {
      return records
    },
    get bytes() {
      return bytes
    },
    oldestSeconds: now => (groups[0] ? Math.max(0, (now - groups[0].at) / 1000) : 0),
  }
}
