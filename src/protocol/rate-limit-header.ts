/** `X-Sentry-Rate-Limits: <seconds>:<category>;<category>:<scope>:<reason>, …`. No category means all of them. */

export type RateLimit = {
  retryAfterSeconds: number
  categories: string[]
  scope: 'organization' | 'project' | 'key' | 'global'
  reason: string
}

export function formatRateLimits(limits: RateLimit[]): string {
  return limits
    .map(
      ({ retryAfterSeconds, categories, scope, reason }) =>
        `${retryAfterSeconds}:${categories.join(';')}:${scope}:${reason}`,
    )
    .join(', ')
}

/** For the plain `Retry-After` of a 429: nothing is worth sending before the last limit has ended. */
export const longestRetrySeconds = (limits: RateLimit[]): number =>
  Math.max(...limits.map(limit => limit.retryAfterSeconds))
