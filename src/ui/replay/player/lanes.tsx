'use client'
import { memo } from 'react'
import { formatOffset } from '../format-offset.ts'
import styles from './lanes.module.css'
import type { Mark, PageBar, ServerBar } from './replay-data.ts'

type Props = {
  durationMs: number
  at: number
  loadedTo: number
  /** The first picture is here. */
  recordedFrom: number
  pages: readonly PageBar[]
  marks: readonly Mark[]
  servers: readonly ServerBar[]
  onSeek: (at: number) => void
}

/** One time axis for the pages, what the user did, errors and the server, with the playhead over all of them. */
export function Lanes({ durationMs, at, loadedTo, recordedFrom, pages, marks, servers, onSeek }: Props) {
  const total = Math.max(1, durationMs)
  return (
    <div className={styles.lanes}>
      <Drawing total={total} pages={pages} marks={marks} servers={servers} />
      <div className={styles.over}>
        {recordedFrom > 0 ? (
          <i
            className={styles.unseen}
            style={{ width: `${share(recordedFrom, total)}%` }}
            title={`Not recorded before ${formatOffset(recordedFrom)}`}
          />
        ) : null}
        <i className={styles.loaded} style={{ width: `${share(loadedTo, total)}%` }} aria-hidden="true" />
        <i className={styles.head} style={{ left: `${share(at, total)}%` }} aria-hidden="true" />
        <input
          type="range"
          aria-label="Position"
          aria-valuetext={`${formatOffset(at)} of ${formatOffset(durationMs)}`}
          min={0}
          max={Math.ceil(total / stepMs) * stepMs}
          step={stepMs}
          value={Math.min(at, total)}
          onChange={event => onSeek(Number(event.target.value))}
        />
      </div>
      <div className={styles.axis} aria-hidden="true">
        {[0, 0.25, 0.5, 0.75, 1].map(part => (
          <span key={part}>
            {total < shortMs ? `${((total * part) / 1_000).toFixed(1)} s` : formatOffset(total * part)}
          </span>
        ))}
      </div>
    </div>
  )
}

/** Of the slider. Its end is a whole step, or the end key would stop before the end. */
const stepMs = 100
/** Too short for minutes and seconds. */
const shortMs = 20_000

const share = (at: number, total: number): string => Math.max(0, Math.min(100, (at / total) * 100)).toFixed(2)

/** Does not change while the replay plays. */
const Drawing = memo(function Drawing({
  total,
  pages,
  marks,
  servers,
}: Pick<Props, 'pages' | 'marks' | 'servers'> & { total: number }) {
  const place = (at: number, ms = 0) => ({
    left: `${share(at, total)}%`,
    width: ms > 0 ? `${share(ms, total)}%` : undefined,
  })
  const isError = ({ kind }: Mark) => kind === 'error' || kind === 'warning'
  return (
    <>
      <Lane name="Page">
        {pages.map(({ from, to, path }) => (
          <span key={from} className={styles.page} style={place(from, to - from)} title={path}>
            {path}
          </span>
        ))}
      </Lane>
      <Lane name="Actions">
        {marks
          .filter(mark => !isError(mark))
          .map(({ at, kind, label, toMs }, index) => (
            <span
              key={index}
              className={styles[kind]}
              style={place(at, toMs === undefined ? 0 : toMs - at)}
              title={label}
            />
          ))}
      </Lane>
      <Lane name="Errors">
        {marks.filter(isError).map(({ at, kind, label }, index) => (
          <span key={index} className={styles[kind]} style={place(at)} title={label} />
        ))}
      </Lane>
      <Lane name="Server">
        {servers.map(({ at, durationMs, name, isFailed, spanId }) => (
          <span
            key={spanId}
            className={isFailed ? `${styles.server} ${styles.failed}` : styles.server}
            style={place(at, durationMs)}
            title={name}
          />
        ))}
      </Lane>
    </>
  )
})

function Lane({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className={styles.lane}>
      <span className={styles.name}>{name}</span>
      <div className={styles.track} aria-hidden="true">
        {children}
      </div>
    </div>
  )
}
