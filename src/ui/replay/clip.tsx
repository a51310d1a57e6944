'use client'
import { Play } from 'lucide-react'
import { Suspense, useState } from 'react'
import { lazyPart } from '../send/lazy-part.ts'
import styles from './clip.module.css'

const ClipPlayer = lazyPart(() => import('./player/clip-player.tsx'))

type Props = {
  path: string
  startedAt: number
  durationMs: number
  at: number
  /** How much of the time before is played; some seconds by default. */
  beforeMs?: number
}

/** The seconds around a moment. The player and the recording are loaded when somebody wants to see them. */
export function ReplayClip(props: Props) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen)
    return (
      <Suspense fallback={<div className={styles.poster} />}>
        <ClipPlayer {...props} />
      </Suspense>
    )
  return (
    <div className={styles.poster}>
      <button type="button" className="btn primary" onClick={() => setOpen(true)}>
        <Play className="i" aria-hidden="true" />
        Play the clip
      </button>
    </div>
  )
}
