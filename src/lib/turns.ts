/**
 * Limits concurrent work and divides it fairly: organizations take turns, and members take turns within their organization. A long queue
 * of one of them does not delay the next turn of another.
 */
export type Asker = { organization: number; member: string }

export type TurnLimits = {
  /** Concurrent work in total, per organization and per member. Each limit is above the next one, so that a slot stays free for others. */
  running: { total: number; perOrganization: number; perMember: number }
  waiting: { perOrganization: number; perMember: number }
}

export type TurnCounts = {
  running: number
  waiting: number
  /** Since the start: aborted before the work was done. */
  left: number
  /** Since the start: rejected with `TooBusy`. */
  refused: number
}

/** Frees the slot. Calling it twice is harmless. */
type Release = () => void

export type Turns = {
  /** Rejects with `TooBusy` if too many of this member or organization wait, and with the reason of the signal if it ends the wait. */
  take(asker: Asker, signal?: AbortSignal): Promise<Release>
  counts(): TurnCounts
}

/** Modules are loaded several times in one process, so compare names: `isTooBusy`. */
export class TooBusy extends Error {
  override name = 'TooBusy'
}
export const isTooBusy = (error: unknown): boolean => error instanceof Error && error.name === 'TooBusy'
/** How long to wait before asking again. */
export const tooBusyRetrySeconds = 5

type Waiter = { start(): void }
/** `servedAt` counts turns: the lowest has waited longest for one. */
type Served = { running: number; servedAt: number }
type Member = Served & { waiting: Set<Waiter> }
type Organization = Served & { waiting: number; members: Map<string, Member> }

export function createTurns(limits: TurnLimits): Turns {
  const organizations = new Map<number, Organization>()
  let turn = 0
  const counted: TurnCounts = { running: 0, waiting: 0, left: 0, refused: 0 }

  function find({ organization: id, member: name }: Asker): { organization: Organization; member: Member } {
    const organization = organizations.get(id) ?? { running: 0, servedAt: 0, waiting: 0, members: new Map() }
    organizations.set(id, organization)
    const member = organization.members.get(name) ?? { running: 0, servedAt: 0, waiting: new Set<Waiter>() }
    organization.members.set(name, member)
    return { organization, member }
  }

  function forget({ organization: id, member: name }: Asker): void {
    const organization = organizations.get(id)
    const member = organization?.members.get(name)
    if (member?.running === 0 && member.waiting.size === 0) organization?.members.delete(name)
    if (organization?.members.size === 0) organizations.delete(id)
  }

  const hasRoom = (organization: Organization, member: Member): boolean =>
    counted.running < limits.running.total &&
    organization.running < limits.running.perOrganization &&
    member.running < limits.running.perMember

  function enter(asker: Asker, signal: AbortSignal | undefined): Release {
    const { organization, member } = find(asker)
    turn += 1
    organization.servedAt = turn
    member.servedAt = turn
    counted.running += 1
    organization.running += 1
    member.running += 1
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      counted.running -= 1
      if (signal?.aborted) counted.left += 1
      organization.running -= 1
      member.running -= 1
      forget(asker)
      admit()
    }
  }

  function admit(): void {
    while (counted.running < limits.running.total) {
      const next = findNext()
      if (next === null) return
      next.start()
    }
  }

  function findNext(): Waiter | null {
    const { perOrganization, perMember } = limits.running
    const organization = whoseTurn(
      organizations.values(),
      each =>
        each.running < perOrganization &&
        [...each.members.values()].some(member => member.waiting.size > 0 && member.running < perMember),
    )
    const member =
      organization &&
      whoseTurn(organization.members.values(), each => each.waiting.size > 0 && each.running < perMember)
    const [first] = member?.waiting ?? []
    return first ?? null
  }

  function wait(asker: Asker, signal: AbortSignal | undefined): Promise<Release> {
    const { organization, member } = find(asker)
    if (member.waiting.size >= limits.waiting.perMember || organization.waiting >= limits.waiting.perOrganization) {
      counted.refused += 1
      forget(asker)
      return Promise.reject(new TooBusy('Too many reads of this member or organization are waiting'))
    }
    return new Promise((resolve, reject) => {
      function stopWaiting(): void {
        member.waiting.delete(waiter)
        organization.waiting -= 1
        counted.waiting -= 1
        signal?.removeEventListener('abort', leave)
      }
      function leave(): void {
        stopWaiting()
        counted.left += 1
        forget(asker)
        reject(signal?.reason)
      }
      const waiter: Waiter = {
        start() {
          stopWaiting()
          resolve(enter(asker, signal))
        },
      }
      member.waiting.add(waiter)
      organization.waiting += 1
      counted.waiting += 1
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  return {
    take(asker, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason)
      const { organization, member } = find(asker)
      // The waiters have no room either: `admit` runs whenever a slot becomes free.
      if (!hasRoom(organization, member)) return wait(asker, signal)
      const release = enter(asker, signal)
      return Promise.resolve(release)
    },
    counts: () => ({ ...counted }),
  }
}

/** Of those who may go, the one with the least running work; of these, the one that was served longest ago. */
function whoseTurn<Each extends Served>(all: Iterable<Each>, mayGo: (each: Each) => boolean): Each | null {
  let best: Each | null = null
  for (const each of all) {
    if (
      best !== null &&
      (each.running > best.running || (each.running === best.running && each.servedAt >= best.servedAt))
    )
      continue
    if (mayGo(each)) best = each
  }
  return best
}
