/** How much of one item is stored. Every cut is noted on the item. */
export const limits = {
  /** Longer texts are dumps; their beginning shows what they are. */
  textChars: 16_384,
  /** Sentry's limit for messages and exception values. */
  messageChars: 8_192,
  /** Names go into LowCardinality columns, whose dictionaries should stay small. */
  nameChars: 1_024,
  /** Sentry's limit for tag keys. */
  tagKeyChars: 200,
  tagValueChars: 1_024,
  tags: 200,
  /** SDKs keep 100. */
  breadcrumbs: 100,
  /** A chain of causes longer than this is a loop. */
  exceptions: 50,
  /** Both ends of an endless recursion matter: where it began and where it broke. */
  framesFirst: 50,
  framesLast: 200,
  /** Members of any other array or object. */
  members: 1_000,
  /** Levels. SDKs normalize to 3–10; JSON.stringify would overflow its stack at some thousands. */
  depth: 48,
  /** For all texts in `extra` together: a quarter of the size limit of an event. */
  extraChars: 262_144,
  /** Attributes of one span, log line or metric. */
  attributes: 1_000,
  /** Notes on one item; further ones are only counted. */
  notes: 100,
  oldestMs: 30 * 24 * 3_600_000,
  futureMs: 60_000,
  /** A smaller difference is a slow network or a queue in the client, not a wrong clock. */
  clockDriftMs: 55 * 60_000,
} as const
