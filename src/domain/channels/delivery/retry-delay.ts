const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** How long to wait after each failed attempt. After the last one the message is dead. */
export const retryDelaysMs = [10 * second, minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 24 * hour]
const spread = 0.2

/** Null if there is no further attempt. `attempts` counts those that were made; what the server asks for goes before our own plan. */
export function retryDelay(attempts: number, random: () => number, retryAfterMs?: number): number | null {
  const planned = retryDelaysMs[attempts - 1]
  if (planned === undefined) return null
  if (retryAfterMs !== undefined) return Math.min(Math.max(retryAfterMs, second), 24 * hour)
  return Math.round(planned * (1 - spread + 2 * spread * random()))
}
