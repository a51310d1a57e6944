'use client'
import { Pause, Play } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatWhole } from '#lib/format-whole.ts'
import { formatCount } from '#ui/format.ts'
import { followShared } from '#web/live/share-tail.ts'
import type { LineView } from './line-view.ts'
import styles from './live.module.css'
import { LogList } from './log-list.tsx'
import type { PageAddress } from './open-line.tsx'

type Props = {
  /** The newest lines when the page was made. */
  lines: LineView[]
  /** Where the stream begins: lines after it may be missing above. */
  since: string
  /** The URL of the stream. */
  href: string
  address: PageAddress
  columns: readonly string[]
  /** The names of the columns. */
  head: ReactNode
  /** What to type in a terminal to see the same. */
  command: string
}

const maxLines = 2_000
const rateMs = 5_000 // over which the rate is counted

type Arrived = { lines: LineView[]; matched: number }

/** Lines as they are committed, the latest first. Nothing moves while somebody reads: scrolling and selecting text pause it. */
export function LiveTail({ lines: first, since, href, address, columns, head, command }: Props) {
  const [lines, setLines] = useState<readonly LineView[]>(first)
  const [waiting, setWaiting] = useState<readonly LineView[]>([])
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  const [isPaused, setPaused] = useState(false)
  const [state, setState] = useState<{ isConnected: boolean; reason: string | null }>({
    isConnected: false,
    reason: null,
  })
  const { isConnected, reason } = state
  const { rate, share, count } = useRate()

  const add = useCallback((arrived: readonly LineView[]) => {
    setFresh(new Set(arrived.map(({ key }) => key)))
    setLines(before => merge(arrived, before))
  }, [])
  const onArrived = useEffectEvent(({ lines: arrived, matched }: Arrived) => {
    count(arrived.length, matched)
    const newest = arrived.toReversed()
    if (isPaused || isReading()) {
      setPaused(true)
      setWaiting(before => merge(newest, before))
    } else add(newest)
  })
  useEffect(
    () =>
      followShared<Arrived>(href, since, {
        onArrived: event => onArrived(event),
        // Keep the reason while it reconnects.
        onState: (isConnected, reason) =>
          setState(before => ({ isConnected, reason: isConnected ? null : (reason ?? before.reason) })),
      }),
    [href, since],
  )

  function resume(): void {
    setPaused(false)
    setWaiting([])
    add(waiting)
    window.getSelection()?.removeAllRanges()
    window.scrollTo({ top: 0 })
  }
  return (
    <>
      <div className={styles.bar}>
        <span className={styles.state} data-on={isConnected || undefined} role="status">
          <span className={styles.word}>
            {isConnected ? (isPaused ? 'Paused' : 'Live') : reason === null ? 'Connecting…' : 'Not live'}
          </span>
          {reason === null ? null : <span className={styles.reason}>{reason} Trying again…</span>}
        </span>
        {isConnected ? (
          <span>
            <b>{rate < 10 ? rate.toFixed(1) : formatCount(Math.round(rate))}</b> lines/s
            {share > 1.05 ? `, showing 1 of ${Math.round(share)}` : ', showing all'}
          </span>
        ) : null}
        <span className={styles.hint}>Pauses when you scroll or select text</span>
        <button type="button" className="btn s" onClick={() => (isPaused ? resume() : setPaused(true))}>
          {isPaused ? <Play className="i" aria-hidden="true" /> : <Pause className="i" aria-hidden="true" />}
          {isPaused ? 'Continue' : 'Pause'}
        </button>
      </div>
      {waiting.length > 0 ? (
        <button type="button" className={styles.waiting} onClick={resume}>
          {formatWhole(waiting.length)}
          {waiting.length === maxLines ? ' or more' : ''} new {waiting.length === 1 ? 'line' : 'lines'}
        </button>
      ) : null}
      {head}
      {lines.length === 0 ? <p className={styles.none}>No line matches yet. The first one shows up here.</p> : null}
      <LogList lines={lines} address={address} columns={columns} hasDate={false} fresh={fresh} />
      <footer className="lfoot">
        <span>
          In the order in which they arrived, {formatWhole(maxLines)} lines in view. In a terminal:{' '}
          <code>{command}</code>
        </span>
      </footer>
    </>
  )
}

/** The page already has some of the lines that come after its position. */
function merge(arrived: readonly LineView[], before: readonly LineView[]): LineView[] {
  const known = new Set(before.map(({ key }) => key))
  return [...arrived.filter(({ key }) => !known.has(key)), ...before].slice(0, maxLines)
}

const isReading = (): boolean => window.scrollY > 40 || window.getSelection()?.isCollapsed === false

/** Lines per second over the last seconds, and of how many each shown one stands for. */
function useRate() {
  const [measured, setMeasured] = useState({ rate: 0, share: 1 })
  const arrivals = useRef<{ at: number; shown: number; matched: number }[]>([])
  const count = useCallback((shown: number, matched: number) => {
    arrivals.current.push({ at: performance.now(), shown, matched })
  }, [])
  useEffect(() => {
    const timer = setInterval(() => {
      const since = performance.now() - rateMs
      arrivals.current = arrivals.current.filter(({ at }) => at >= since)
      const sum = (pick: 'shown' | 'matched') => arrivals.current.reduce((all, each) => all + each[pick], 0)
      const [shown, matched] = [sum('shown'), sum('matched')]
      setMeasured({ rate: matched / (rateMs / 1_000), share: shown === 0 ? 1 : matched / shown })
    }, 1_000)
    return () => clearInterval(timer)
  }, [])
  return { ...measured, count }
}
