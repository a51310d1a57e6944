'use client'
import { Pause, Play } from 'lucide-react'
import { useEffect, useRef } from 'react'
import clip from '../clip.module.css'
import { formatOffset } from '../format-offset.ts'
import styles from './player.module.css'
import { Stage } from './stage.tsx'
import { usePlayer } from './use-player.ts'

type Props = { path: string; startedAt: number; durationMs: number; at: number; beforeMs?: number }

const aroundMs = 5_000
const stepMs = 100

/** A player for some seconds of a replay, which begins at once and stops at their end. */
export default function ClipPlayer({ path, startedAt, durationMs, at: middle, beforeMs = aroundMs }: Props) {
  const from = Math.max(0, middle - beforeMs)
  const to = Math.min(durationMs, middle + aroundMs)
  const player = usePlayer({
    recordingHref: `${path}/recording`,
    startedAt,
    durationMs,
    openAt: from,
    loadsImages: false,
  })
  const { at, isPlaying, state, seek } = player
  const hasBegun = useRef(false)
  useEffect(() => {
    if (state !== 'ready' || hasBegun.current) return
    hasBegun.current = true
    seek(from, true)
  }, [state, seek, from])
  useEffect(() => {
    if (isPlaying && at >= to) seek(to, false)
  }, [isPlaying, at, to, seek])
  const toggle = () => seek(!isPlaying && at >= to - 50 ? from : at, !isPlaying)
  return (
    <div className={styles.small}>
      <Stage player={player} loadsImages={false} />
      <div className={clip.bar}>
        <button
          type="button"
          className={styles.play}
          aria-label={isPlaying ? 'Pause' : 'Play'}
          onClick={toggle}
          disabled={state !== 'ready'}
        >
          {isPlaying ? <Pause className="i" aria-hidden="true" /> : <Play className="i" aria-hidden="true" />}
        </button>
        <span className={styles.time}>
          <b>{formatOffset(at)}</b>
        </span>
        <input
          type="range"
          aria-label="Position in the clip"
          aria-valuetext={formatOffset(at)}
          min={from}
          max={from + Math.max(1, Math.ceil((to - from) / stepMs)) * stepMs}
          step={stepMs}
          value={Math.max(from, Math.min(at, to))}
          onChange={event => seek(Math.min(to, Number(event.target.value)), false)}
        />
      </div>
    </div>
  )
}
