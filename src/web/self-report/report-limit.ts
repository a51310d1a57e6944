/** The guard against loops: so many reports a minute, and the same one only once in it. */
const minuteMs = 60_000

export function createReportLimit({ perMinute, now = Date.now }: { perMinute: number; now?: () => number }) {
  let windowStart = 0
  let seen = new Set<string>()
  return (key: string): boolean => {
    if (now() - windowStart >= minuteMs) {
      windowStart = now()
      seen = new Set()
    }
    if (seen.has(key) || seen.size >= perMinute) return false
    seen.add(key)
    return true
  }
}
