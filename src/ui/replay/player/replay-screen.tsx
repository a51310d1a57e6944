'use client'
import { useCallback, useMemo, useRef, useState } from 'react'
import { CopyButton } from '../../copy-button.tsx'
import { formatMany } from '../../format.ts'
import { formatOffset } from '../format-offset.ts'
import { Controls } from './controls.tsx'
import { Lanes } from './lanes.tsx'
import { mergeExtras } from './merge-extras.ts'
import styles from './player.module.css'
import type { ReplayData } from './replay-data.ts'
import { ServerWork } from './server-work.tsx'
import { Stage } from './stage.tsx'
import { SyncTabs } from './sync-tabs.tsx'
import { usePlayer } from './use-player.ts'

/** The player with everything that moves with it. `children` are the facts of the replay. */
export function ReplayScreen({ data, children }: { data: ReplayData; children: React.ReactNode }) {
  const { path, startedAt, durationMs, openAt, pages, marks, servers, tabs } = data
  const [loadsImages, setLoadsImages] = useState(false)
  const [speed, setSpeed] = useState(1)
  const [skipsIdle, setSkipsIdle] = useState(true)
  const player = usePlayer({ recordingHref: `${path}/recording`, startedAt, durationMs, openAt, loadsImages })
  const left = useRef<HTMLDivElement>(null)
  const { at, seek, send, extras } = player
  const allTabs = useMemo(() => mergeExtras(tabs, extras, extras.base), [tabs, extras])
  const errors = useMemo(() => marks.filter(({ kind }) => kind === 'error').map(error => error.at), [marks])
  /** The address names the moment, so that a reload and a copied link come back to it. */
  const go = useCallback(
    (to: number, plays?: boolean) => {
      seek(to, plays)
      window.history.replaceState(window.history.state, '', addressAt(path, to))
    },
    [path, seek],
  )
  const outline = useCallback((nodeId: number) => send({ kind: 'outline', nodeId }), [send])
  const url = pages.findLast(({ from }) => from <= at)?.path ?? pages[0]?.path
  return (
    <div className={styles.screen}>
      <div className={styles.left} ref={left}>
        {children}
        <Stage
          player={player}
          loadsImages={loadsImages}
          onLoadImages={() => setLoadsImages(true)}
          {...(url === undefined ? {} : { url })}
        />
        <Controls
          at={at}
          durationMs={durationMs}
          isPlaying={player.isPlaying}
          isReady={player.state === 'ready'}
          isSkipping={player.isSkipping}
          speed={speed}
          skipsIdle={skipsIdle}
          errors={errors}
          onSeek={go}
          onSpeed={next => {
            setSpeed(next)
            send({ kind: 'speed', speed: next })
          }}
          onSkipIdle={isOn => {
            setSkipsIdle(isOn)
            send({ kind: 'skip', isOn })
          }}
          onFullScreen={() =>
            void (document.fullscreenElement ? document.exitFullscreen() : left.current?.requestFullscreen())
          }
        />
        <Lanes
          durationMs={durationMs}
          at={at}
          loadedTo={player.loadedTo}
          recordedFrom={player.recordedFrom}
          pages={pages}
          marks={marks}
          servers={servers}
          onSeek={go}
        />
        <Gaps data={data} cut={player.notes.cut} unreadable={player.notes.unreadable} />
        <p className={styles.note}>
          <CopyButton
            text={() => new URL(addressAt(path, at), window.location.href).href}
            label={`Copy link at ${formatOffset(at)}`}
          />
        </p>
        <ServerWork path={path} tracesPath={data.tracesPath} servers={servers} at={at} />
      </div>
      <SyncTabs tabs={allTabs} at={at} durationMs={durationMs} onSeek={go} onOutline={outline} />
    </div>
  )
}

const addressAt = (path: string, at: number): string => `${path}?t=${(at / 1_000).toFixed(1).replace(/\.0$/, '')}`

type GapProps = { data: ReplayData; cut: number; unreadable: readonly number[] }

/** What of the replay cannot be shown, and why. */
function Gaps({ data, cut, unreadable }: GapProps) {
  const missing = [...new Set([...data.missingSegments, ...unreadable])].sort((a, b) => a - b)
  if (missing.length === 0 && cut === 0) return null
  return (
    <p className={styles.note} role="note">
      {missing.length > 0
        ? `${formatMany(missing.length, 'segment')} of ${data.segmentCount} did not arrive (${nameSegments(missing)}): the picture may jump or miss changes. `
        : ''}
      {cut > 0 ? 'The recorded page is larger than the player shows, so parts of it are left out.' : ''}
    </p>
  )
}

const shownSegments = 8
const nameSegments = (missing: readonly number[]): string => {
  const shown = missing.slice(0, shownSegments).map(segment => `${segment + 1}`)
  return `${shown.join(', ')}${missing.length > shownSegments ? ' …' : ''}`
}
