/** The kinds of clauses about an issue, the most useful first: a named cause before a plain number. */
const order = [
  'regressed',
  'skew',
  'began',
  'sinceRelease',
  'stoppedSince',
  'escalating',
  'newEnvironment',
  'more',
  'onlyRelease',
  'quiet',
  'fewer',
  'oneUser',
  'hydration',
  'tag',
  'missing',
  'route',
] as const

export const ranks = Object.fromEntries(order.map((kind, index) => [kind, index])) as Record<
  (typeof order)[number],
  number
>
