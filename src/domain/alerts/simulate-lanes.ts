/** What the lanes of a rule would have sent: the code that sends, with a clock and a memory of its own. */
import type { Traces } from './cascades.ts'
import { deployKey } from './collect.ts'
import { dispatch } from './dispatch.ts'
import { flushBurst } from './flush-bursts.ts'
import { type Burst, type Lane, type LaneMemory, lanesOf, sentName } from './lanes.ts'
import type { Rule } from './rule.ts'
import { isEnd, leaveOut, type SingleMessage, type StoredMessage, subjectKeyOf } from './stored-message.ts'

/** Messages that are handled together, at one moment. */
export type Round = { at: number; messages: readonly SingleMessage[]; traces?: Traces }
export type SimulatedMessage = { at: number; lane: Lane; message: StoredMessage }

/** Rounds in the order of time. What is held at the end goes out when its time comes. */
export async function simulateLanes(rule: Rule, rounds: readonly Round[]): Promise<SimulatedMessage[]> {
  const sent: SimulatedMessage[] = []
  let nowMs = 0
  const bursts = new Map<string, number>()
  const memory = createMemory(rule, bursts, {
    send: (lane, message) => sent.push({ at: nowMs, lane, message }),
  })
  const flushUntil = async (until: number): Promise<void> => {
    for (let due = findDue(bursts, until); due !== null; due = findDue(bursts, until)) {
      nowMs = Math.max(nowMs, due.until)
      await flushBurst({ memory, nowMs }, due)
    }
  }
  for (const { at, messages, traces } of rounds) {
    await flushUntil(at)
    nowMs = at
    await dispatch({ memory, nowMs, ...(traces ? { traces } : {}) }, { kind: 'rule', rule }, messages)
  }
  await flushUntil(Number.POSITIVE_INFINITY)
  return sent
}

/** The burst that ends first. */
function findDue(bursts: ReadonlyMap<string, number>, before: number): Burst | null {
  let first: Burst | null = null
  for (const [target, until] of bursts)
    if (until <= before && (first === null || until < first.until)) first = { target, until }
  return first
}

type Hooks = { send: (lane: Lane, message: StoredMessage) => unknown }

function createMemory(rule: Rule, bursts: Map<string, number>, { send }: Hooks): LaneMemory {
  const held = new Map<string, { id: number; message: SingleMessage }[]>()
  const sentAt = new Map<string, Map<string, number>>()
  const lanes = lanesOf({ kind: 'rule', rule })
  const openPages = new Set<string>()
  let ids = 0
  return {
    openBurst: async (target, until) => {
      if (bursts.has(target)) return true
      bursts.set(target, until)
      return false
    },
    moveBurst: async ({ target }, until) => {
      bursts.set(target, until)
      return true
    },
    endBurst: async target => {
      bursts.delete(target)
    },
    hold: async (target, messages) => {
      const rows = held.get(target) ?? []
      for (const message of messages) rows.push({ id: ++ids, message })
      held.set(target, rows)
    },
    takeHeld: async target => {
      const taken = held.get(target) ?? []
      held.delete(target)
      return taken
    },
    dropHeld: async (laneKey, subjects) => {
      for (const [target, rows] of held)
        if (target === laneKey || target.startsWith(deployKey(laneKey, '')))
          held.set(
            target,
            rows.flatMap(({ id, message }) => {
              const rest = leaveOut(message, subjects)
              return rest === null ? [] : [{ id, message: rest }]
            }),
          )
    },
    listSent: async (_, subjects) =>
      new Map(
        subjects.flatMap(subject =>
          [...(sentAt.get(subject) ?? [])].map(([type, at]) => [sentName(subject, type), at] as const),
        ),
      ),
    markSent: async (_, sent, at) => {
      for (const { subject, type } of sent)
        sentAt.set(subject, (sentAt.get(subject) ?? new Map<string, number>()).set(type, at))
    },
    findLane: async key => lanes.find(lane => lane.key === key) ?? null,
    send: async (lane, message) => {
      if (!lane.isPager || message.kind === 'summary') return void send(lane, message)
      const subject = subjectKeyOf(message)
      // A pager closes only what it was sent.
      if (!isEnd(message)) openPages.add(subject)
      else if (!openPages.delete(subject)) return
      send(lane, message)
    },
  }
}
