/** When the recorded visits are repeated, and by whom. The same seed gives the same plan on the same day. */
import { createHash } from 'node:crypto'
import type { SeedPlan } from '../plan.ts'
import { type CapturedVisit, type Feedback, recordedFeedback } from './capture-file.ts'
import type { Repeat } from './repeat-visit.ts'

export type PlannedVisit = { visit: CapturedVisit; repeat: Repeat }

type Plan = Pick<SeedPlan, 'seed' | 'batchId' | 'userCount' | 'releases' | 'days'>

const hourMs = 3_600_000
const minuteMs = 60_000
/** Rules report issues for a day, and sample data must not alert anyone. */
const firstAgoMs = 25 * hourMs
/** Nothing is seeded into the future, and minutes that rules still judge get nothing. */
const lastAgoMs = 15 * minuteMs
const repeatsOf = { least: 3, most: 8 }
const daysPerRepeat = 4
/** After a deploy, tabs that are open fail for hours. */
const afterDeployMs = [3, 17, 210, 350].map(minutes => minutes * minuteMs)
const maxDeploys = 2

/** About the page of the recorded visit, whose screenshot each message has. */
const feedback: readonly Feedback[] = [
  {
    name: 'Noor',
    email: 'noor@example.com',
    message: 'I can’t find how deep the pot is. Does a 12 cm root ball fit?',
  },
  {
    name: 'Jonas',
    email: 'jonas@example.com',
    message: 'The price changed from 19 to 24 euros while I had the page open. Which one is right?',
  },
  recordedFeedback,
  { name: 'Mei', email: 'mei@example.com', message: 'Lovely shop! A photo next to a hand would show the size.' },
]

/** In the order of their times. Visits during a deploy belong to the last deploys. */
export function planVisits(visits: readonly CapturedVisit[], plan: Plan, nowMs: number): PlannedVisit[] {
  const planned = visits.flatMap(visit => {
    const times = visit.name === 'deploy' ? deployTimes(plan, nowMs) : usualTimes(visit.name, plan, nowMs)
    return times.map((beginsAt, index) => ({
      visit,
      repeat: { ...repeatAt(visit, beginsAt, plan), feedback: feedback[index % feedback.length] ?? recordedFeedback },
    }))
  })
  return planned.sort((one, other) => one.repeat.beginsAt - other.repeat.beginsAt)
}

function repeatAt({ name }: CapturedVisit, beginsAt: number, plan: Plan): Omit<Repeat, 'feedback'> {
  const at = plan.releases.findLastIndex(({ deployedMs }) => deployedMs <= beginsAt)
  const release = plan.releases[at]?.name ?? ''
  const before = plan.releases[at - 1]?.name ?? release
  const user = 1 + Math.floor(chance(plan, 'user', name, beginsAt) * plan.userCount)
  return {
    key: `${plan.batchId}:${name}:${beginsAt}`,
    beginsAt,
    user: `user-${user}`,
    releases: name === 'deploy' ? [before, release] : [release, release],
  }
}

/** The first a day ago or earlier, the last one recently, the others between them. */
function usualTimes(name: string, plan: Plan, nowMs: number): number[] {
  const count = Math.min(repeatsOf.most, Math.max(repeatsOf.least, Math.ceil(plan.days.length / daysPerRepeat)))
  const last = nowMs - lastAgoMs - chance(plan, 'last', name) * 2 * hourMs
  const first = Math.min(plan.days[0]?.startMs ?? last, nowMs - firstAgoMs - 2 * hourMs)
  const step = (last - first) / (count - 1)
  return Array.from({ length: count }, (_, index) => {
    const isInside = index > 0 && index < count - 1
    const jitter = isInside ? chance(plan, 'jitter', name, index) - 0.5 : index === 0 ? chance(plan, 'first', name) : 0
    return Math.round(index === 0 ? first + jitter * 2 * hourMs : first + step * (index + jitter * 0.8))
  })
}

function deployTimes({ releases }: Plan, nowMs: number): number[] {
  const deploys = releases.slice(1).slice(-maxDeploys)
  const times = deploys.flatMap(({ deployedMs }) => afterDeployMs.map(after => Math.round(deployedMs + after)))
  return times.filter(time => time <= nowMs - lastAgoMs)
}

/** In [0, 1). */
function chance({ seed }: Plan, ...of: (string | number)[]): number {
  return (
    createHash('sha256')
      .update([seed, ...of].join(':'))
      .digest()
      .readUInt32BE(0) /
    2 ** 32
  )
}
