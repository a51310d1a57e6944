/** How much of one item is kept. Whatever is cut is noted on it. */
export const limits = {
  /** Chars. Longer texts are dumps that nobody reads on a page; the head of one tells what it is. */
  textChars: 16_384,
  /** Chars. Sentry's own bound for messages and exception values. */
  messageChars: 8_192,
  /** Chars. Names go into LowCardinality columns: a long one spoils the dictionary. */
  nameChars: 1_024,
  /** Chars. Sentry's own bound for tag keys. */
  tagKeyChars: 200,
  tagValueChars: 1_024,
  tags: 200,
  /** SDKs keep 100. */
  breadcrumbs: 100,
  /** A chain of causes longer than this is a loop. */
  exceptions: 50,
  /** Of a runaway recursion both ends matter: where it began and where it broke. */
  framesFirst: 50,
  framesLast: 200,
  /** Members of any other array or object. */
  members: 1_000,
  /** Levels. SDKs normalize to 3–10; JSON.stringify would overflow its stack at some thousands. */
  depth: 48,
  /** Chars of all texts in `extra` together: a quarter of what an event may weigh. */
  extraChars: 262_144,
  /** Attributes of one span, log line or metric. */
  attributes: 1_000,
  /** Notes on one item; the rest is counted. */
  notes: 100,
  /** Milliseconds. */
  oldestMs: 30 * 24 * 3_600_000,
  futureMs: 60_000,
  /** Milliseconds. Below it a difference is a slow network or a queue in the client, not a wrong clock. */
  clockDriftMs: 55 * 60_000,
} as const
