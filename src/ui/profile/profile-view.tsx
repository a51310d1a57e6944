'use client'
import { useMemo, useState } from 'react'
import { FlameChart } from './flame-chart.tsx'
import { type FlameFrame, type FlameFunction, type FlameView, formatSampled } from './flame-view.ts'
import styles from './profile.module.css'

/** The flame chart, and the same data as a table; a search marks functions in both. */
export function ProfileView({ view }: { view: FlameView }) {
  const [wanted, setWanted] = useState('')
  const [chosen, setChosen] = useState<number | null>(null)
  const isFound = useMemo(() => {
    const text = wanted.trim().toLowerCase()
    if (text === '') return null
    const found = view.frames.map(({ name, where }) => `${name} ${where}`.toLowerCase().includes(text))
    return (frame: number) => found[frame] ?? false
  }, [wanted, view])
  const rows = isFound === null ? view.functions : view.functions.filter(({ frame }) => isFound(frame))
  const longestMs = Math.max(1, ...view.functions.map(({ selfMs }) => selfMs))
  return (
    <>
      <div className={styles.find}>
        <input
          type="search"
          aria-label="Find function"
          placeholder="Find function or file"
          value={wanted}
          onChange={event => setWanted(event.target.value)}
        />
        {isFound === null ? null : (
          <output className="t3">
            {rows.length} of {view.functions.length} functions
          </output>
        )}
      </div>
      <FlameChart view={view} isFound={isFound} chosen={chosen} onChoose={setChosen} />
      <section className="sec">
        <header>
          <h2>Functions</h2>
          <span className="t3">the same data as a table; own time first</span>
        </header>
        <div className={styles.scroll}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Function</th>
                <th scope="col">Where</th>
                <th scope="col" className={styles.number}>
                  Self
                </th>
                <th scope="col">Share</th>
                <th scope="col" className={styles.number}>
                  Total
                </th>
                <th scope="col" className={styles.number}>
                  Samples
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <Row
                  key={row.frame}
                  row={row}
                  frames={view.frames}
                  intervalMs={view.intervalMs}
                  share={row.selfMs / longestMs}
                  isChosen={row.frame === chosen}
                  onChoose={() => setChosen(row.frame === chosen ? null : row.frame)}
                />
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </>
  )
}

type RowProps = {
  row: FlameFunction
  frames: FlameFrame[]
  intervalMs: number
  share: number
  isChosen: boolean
  onChoose: () => void
}

function Row({ row, frames, intervalMs, share, isChosen, onChoose }: RowProps) {
  const frame = frames[row.frame]
  const time = (ms: number) => formatSampled(ms, intervalMs)
  return (
    <tr className={isChosen ? styles.chosen : undefined}>
      <td>
        <button
          type="button"
          className={styles.name}
          aria-pressed={isChosen}
          onClick={onChoose}
          data-own={frame?.isOwn}
        >
          {frame?.name}
        </button>
        {isChosen && row.callers.length > 0 ? (
          <div className={styles.callers}>
            Called by
            <ul>
              {row.callers.map(({ frame: caller, ms }) => (
                <li key={caller}>
                  <span className="mono">{frames[caller]?.name}</span> {time(ms)}
                </li>
              ))}
            </ul>
          </div>
        ) : null}
      </td>
      <td className={styles.where}>{frame?.where || 'runtime'}</td>
      <td className={styles.number}>{time(row.selfMs)}</td>
      <td>
        <span className={styles.bar} data-own={frame?.isOwn}>
          <span style={{ width: `${Math.round(share * 100)}%` }} />
        </span>
      </td>
      <td className={styles.number}>{time(row.totalMs)}</td>
      <td className={styles.number}>{row.samples}</td>
    </tr>
  )
}
