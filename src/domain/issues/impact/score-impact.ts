/**
 * The impact of an issue: its users of the last day, then its events of the last hour over the average hour of the day before, both in
 * powers of two. Steps keep the order steady while events arrive, and few issues are written each minute.
 */
import { minEvents } from '../lifecycle/escalation.ts'

const hourMs = 3_600_000
const hoursPerDay = 24
const maxUserSteps = 31
const maxRise = 15
const riseSteps = maxRise + 1

/** Below this number is every impact. */
export const impactSteps = (maxUserSteps + 1) * riseSteps
/** Hours before the current one whose events count: those of the last hour, and of the day before it. */
export const hoursOfImpact = hoursPerDay + 1

type Counts = {
  /** In the last day. */
  users: number
  /** By hour since 1970. */
  eventsByHour: ReadonlyMap<number, number>
}

export const scoreImpact = ({ users, eventsByHour }: Counts, nowMs: number): number =>
  userSteps(users) * riseSteps + rise(eventsByHour, nowMs)

/** 0 without users, 1 for one, 2 for two and three, 3 for four to seven … */
export const userSteps = (users: number): number =>
  users < 1 ? 0 : Math.min(maxUserSteps, Math.floor(Math.log2(users)) + 1)

/** 0 below twice the average, 1 from twice, 2 from four times … Events are counted by whole hours, so the last hour is made of two. */
function rise(eventsByHour: ReadonlyMap<number, number>, nowMs: number): number {
  const hour = Math.floor(nowMs / hourMs)
  const over = nowMs / hourMs - hour
  const at = (ago: number): number => eventsByHour.get(hour - ago) ?? 0
  const lastHour = at(0) + (1 - over) * at(1)
  if (lastHour < minEvents) return 0
  let dayBefore = over * at(1) + (1 - over) * at(hoursOfImpact)
  for (let ago = 2; ago < hoursOfImpact; ago++) dayBefore += at(ago)
  const average = Math.max(1, dayBefore / hoursPerDay)
  return Math.max(0, Math.min(maxRise, Math.floor(Math.log2(lastHour / average))))
}
