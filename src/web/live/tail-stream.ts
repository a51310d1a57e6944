/** One reader of the live tail: from where it was, then what is committed, thinned if it is too much to read. */
import { type Viewer, viewerAt } from '#domain/access/viewer.ts'
import { resolveTerms } from '#domain/events/resolve-terms.ts'
import type { ListedLine } from '#domain/logs/list-logs.ts'
import type { LogFilter } from '#domain/logs/log-condition.ts'
import { matchesLine } from '#domain/logs/match-line.ts'
import { formatPosition, readPosition, type TailPosition } from '#domain/logs/tail/position-text.ts'
import { readBatches } from '#domain/logs/tail/read-batches.ts'
import { listedLine, type TailBatch } from '#domain/logs/tail/tail-line.ts'
import { readSignal, withReadSignal } from '#lib/read-signal.ts'
import type { Gap, TailHub } from './tail-hub.ts'

/** `matched` counts all lines that the search finds; `lines` may be a sample of them. */
export type TailEvent = { id: string; lines: ListedLine[]; matched: number }

/** What a reader wants to see. */
export type TailSearch = {
  viewer: Viewer
  filter: Pick<LogFilter, 'terms' | 'projectIds' | 'environment'>
  columns: readonly string[]
}

type Options = TailSearch & {
  hub: TailHub
  /** Where the reader was: the id of the last event that it got. */
  since: string | null
  send(event: TailEvent): void
  end(): void
  now(): number
}

const maxLinesPerSecond = 200
/** A busy digest commits every few seconds: what was not used in this time is added to the next commit. */
const burstMs = 5_000
const maxCaughtUp = 2_000 // lines of a gap that are shown; nobody reads more

export type TailReader = {
  stop(): void
  /** The id of an event at this moment. */
  position(): string
  hide(projectIds: ReadonlySet<number>): void
}

export async function followTail(options: Options): Promise<TailReader> {
  const { hub, viewer, filter, columns, send, end, now } = options
  const terms = await resolveTerms(viewer, filter.terms, filter.projectIds)
  const resolved = { ...filter, terms }
  const shown = new Set(filter.projectIds ?? viewer.projects.map(({ id }) => id))
  const known = options.since === null ? null : readPosition(options.since)
  const position = new Map<string, number>(known?.position)
  let upToDateAt = known?.at ?? now()
  let hidden: ReadonlySet<number> = new Set()
  let budget = maxLinesPerSecond
  let budgetAt = now()
  let isStopped = false
  /** One after the other, so that lines arrive in the order of their batches. */
  let work: Promise<void> = Promise.resolve()
  // The hub calls from its timer, outside of the request's context.
  const signal = readSignal()
  const queue = (task: () => Promise<void> | void): void => {
    work = work.then(() => (isStopped ? undefined : withReadSignal(signal, task))).catch(() => fail())
  }
  // The reader comes back and continues where it was.
  const fail = (): void => {
    if (!isStopped) end()
  }

  function emit(inboxId: string, batch: number, lines: ListedLine[], matched: number): void {
    position.set(inboxId, batch)
    upToDateAt = now()
    if (matched > 0) send({ id: formatPosition(position, upToDateAt), lines, matched })
  }

  /** 200 lines per second, evenly chosen; a commit may use up what the seconds before it left. */
  function thin<Line>(lines: Line[]): Line[] {
    const elapsedMs = now() - budgetAt
    budget = Math.min((burstMs / 1_000) * maxLinesPerSecond, budget + (elapsedMs / 1_000) * maxLinesPerSecond)
    budgetAt = now()
    const most = Math.floor(budget)
    budget -= Math.min(most, lines.length)
    if (lines.length <= most) return lines
    return lines.filter(
      (_, index) => Math.floor((index * most) / lines.length) !== Math.floor(((index - 1) * most) / lines.length),
    )
  }

  function show({ inboxId, batch, lines }: TailBatch): void {
    if (batch <= (position.get(inboxId) ?? 0)) return
    const matching = lines.filter(
      line =>
        shown.has(line.projectId) &&
        !hidden.has(line.projectId) &&
        (filter.environment === undefined || line.environment === filter.environment) &&
        matchesLine(line, terms),
    )
    emit(
      inboxId,
      batch,
      thin(matching).map(line => listedLine(line, columns)),
      matching.length,
    )
  }

  async function fill({ inboxId, after, upTo }: Gap): Promise<void> {
    const from = Math.max(after, position.get(inboxId) ?? 0)
    if (from >= upTo) return
    const recalled = hub.recall({ inboxId, after: from, upTo })
    if (recalled !== null) for (const batch of recalled) show(batch)
    else {
      const wanted = { inboxId, after: from, upTo, since: upToDateAt }
      const { lines, matched } = await readBatches(viewerAt(viewer, now()), resolved, wanted, {
        columns,
        limit: maxCaughtUp,
      })
      const visible = lines.filter(({ projectId }) => !hidden.has(projectId))
      emit(inboxId, upTo, visible.reverse(), matched)
    }
    position.set(inboxId, Math.max(upTo, position.get(inboxId) ?? 0))
  }

  let begin: (from: TailPosition) => void = () => undefined
  const begun = new Promise<TailPosition>(resolve => {
    begin = resolve
  })
  // First in the queue: the gap between where the reader was and where the hub is.
  queue(async () => {
    for (const [inboxId, upTo] of await begun) {
      if (known === null) position.set(inboxId, upTo)
      else await fill({ inboxId, after: position.get(inboxId) ?? 0, upTo })
    }
  })
  const { from, stop } = await hub.listen({
    onBatch: batch => queue(() => show(batch)),
    onGap: gap => queue(() => fill(gap)),
    end,
  })
  begin(from)
  return {
    stop: () => {
      isStopped = true
      stop()
    },
    position: () => formatPosition(position, upToDateAt),
    hide: projectIds => {
      hidden = projectIds
    },
  }
}
