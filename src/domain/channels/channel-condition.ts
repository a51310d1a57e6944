/** How a channel is doing, in one word: for lists, the API and metrics. */
type Facts = {
  state: 'active' | 'failing' | 'disabled'
  /** Messages that wait, and since when the oldest does. */
  waiting: { count: number; since: number | null }
}
export const conditions = ['working', 'waiting', 'retrying', 'failing', 'off'] as const
export type ChannelCondition = (typeof conditions)[number]

/** A message is sent within seconds of being due. */
const usualWaitMs = 2 * 60_000

export function conditionOf({ state, waiting }: Facts, now: number): ChannelCondition {
  if (state === 'disabled') return 'off'
  if (state === 'failing') return waiting.count > 0 ? 'retrying' : 'failing'
  return waiting.since !== null && now - waiting.since > usualWaitMs ? 'waiting' : 'working'
}
