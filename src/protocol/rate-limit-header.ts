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

/** For the `Retry-After` header of a 429, which has no categories: when the last limit ends. */
export const longestRetrySeconds = (limits: RateLimit[]): number =>
  Math.max(...limits.map(limit => limit.retryAfterSeconds))
