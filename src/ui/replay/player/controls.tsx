'use client'
import { FastForward, Maximize, Pause, Play, RotateCcw } from 'lucide-react'
import { ShortcutKeys } from '../../commands/shortcut-keys.tsx'
import { useCommands } from '../../commands/use-commands.ts'
import { formatOffset } from '../format-offset.ts'
import styles from './player.module.css'

const speeds = [0.5, 1, 2, 4, 8, 16] as const

type Props = {
  at: number
  durationMs: number
  isPlaying: boolean
  isReady: boolean
  isSkipping: boolean
  speed: number
  skipsIdle: boolean
  /** Times of errors, in order. */
  errors: readonly number[]
  onSeek: (at: number, plays?: boolean) => void
  onSpeed: (speed: number) => void
  onSkipIdle: (isOn: boolean) => void
  onFullScreen: () => void
}

const stepMs = 5_000
/** Space presses a focused button or link, and types in a field. */
const isFree = (focused: Element): boolean => !focused.matches('button, a, input, select, textarea, summary')
/** Arrow keys move in a slider or a list of tabs. */
const hasNoArrows = (focused: Element): boolean => !focused.matches('input, select, textarea, [role=tab]')

export function Controls(props: Props) {
  const { at, durationMs, isPlaying, isReady, speed, skipsIdle, errors, onSeek } = props
  const toggle = () => onSeek(!isPlaying && at >= durationMs - 50 ? 0 : at, !isPlaying)
  const next = errors.find(error => error > at + 50)
  const previous = errors.findLast(error => error < at - 1_000)
  useCommands([
    {
      id: 'replay.play',
      label: isPlaying ? 'Pause' : 'Play',
      kind: 'view',
      shortcut: ' ',
      help: 'Play, pause',
      acceptsFocus: isFree,
      run: toggle,
    },
    {
      id: 'replay.back',
      label: 'Back 5 s',
      kind: 'view',
      shortcut: 'ArrowLeft',
      help: 'Back, forward 5 s',
      isRepeated: true,
      acceptsFocus: hasNoArrows,
      run: () => onSeek(at - stepMs),
    },
    {
      id: 'replay.forward',
      label: 'Forward 5 s',
      kind: 'view',
      shortcut: 'ArrowRight',
      help: 'Back, forward 5 s',
      isRepeated: true,
      acceptsFocus: hasNoArrows,
      run: () => onSeek(at + stepMs),
    },
    {
      id: 'replay.next-error',
      label: 'Next error',
      kind: 'view',
      shortcut: 'n',
      help: 'Next, previous error',
      isAvailable: () => next !== undefined,
      run: () => onSeek(next ?? at, false),
    },
    {
      id: 'replay.previous-error',
      label: 'Previous error',
      kind: 'view',
      shortcut: 'Shift+n',
      help: 'Next, previous error',
      isAvailable: () => previous !== undefined,
      run: () => onSeek(previous ?? at, false),
    },
    {
      id: 'replay.skip-idle',
      label: skipsIdle ? 'Play idle time' : 'Skip idle time',
      kind: 'view',
      shortcut: 's',
      help: 'Skip idle time',
      run: () => props.onSkipIdle(!skipsIdle),
    },
    {
      id: 'replay.full-screen',
      label: 'Full screen',
      kind: 'view',
      shortcut: 'f',
      help: 'Full screen',
      run: props.onFullScreen,
    },
  ])
  return (
    <fieldset className={styles.controls} aria-label="Player">
      <button
        type="button"
        className={styles.play}
        aria-label={isPlaying ? 'Pause' : 'Play'}
        onClick={toggle}
        disabled={!isReady}
      >
        {isPlaying ? <Pause className="i" aria-hidden="true" /> : <Play className="i" aria-hidden="true" />}
      </button>
      <button type="button" className="icon-btn" aria-label="Restart" title="Restart" onClick={() => onSeek(0)}>
        <RotateCcw className="i" aria-hidden="true" />
      </button>
      <span className={styles.time}>
        <b>{formatOffset(at)}</b> / {formatOffset(durationMs)}
      </span>
      <label className={styles.speed}>
        <span className="sr">Speed</span>
        <select value={speed} onChange={event => props.onSpeed(Number(event.target.value))}>
          {speeds.map(each => (
            <option key={each} value={each}>
              {each}×
            </option>
          ))}
        </select>
      </label>
      <button type="button" className="btn plain" aria-pressed={skipsIdle} onClick={() => props.onSkipIdle(!skipsIdle)}>
        <FastForward className="i" aria-hidden="true" />
        Skip idle: {skipsIdle ? 'on' : 'off'}
      </button>
      {props.isSkipping ? <span className="t3">skipping…</span> : null}
      <span className={styles.space} />
      {errors.length > 0 ? (
        <button
          type="button"
          className="btn plain"
          disabled={next === undefined}
          onClick={() => onSeek(next ?? at, false)}
        >
          <ShortcutKeys shortcut="n" /> Next error
        </button>
      ) : null}
      <button
        type="button"
        className="icon-btn"
        aria-label="Full screen"
        title="Full screen"
        onClick={props.onFullScreen}
      >
        <Maximize className="i" aria-hidden="true" />
      </button>
    </fieldset>
  )
}
