'use client'
import { EyeOff, Lock, Image as Picture } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatMany } from '../../format.ts'
import { shorten } from '../../shorten.ts'
import { formatOffset } from '../format-offset.ts'
import styles from './player.module.css'
import type { Player } from './use-player.ts'

type Props = {
  player: Player
  loadsImages: boolean
  /** The address in the bar; none in a clip. */
  url?: string
  onLoadImages?: () => void
  children?: ReactNode
}

/** The picture: a document of its own that gets the recording, below a bar with the address and what was masked. */
export function Stage({ player, loadsImages, url, onLoadImages, children }: Props) {
  const { masking, stylesheets } = player.notes
  const isBefore = player.state === 'ready' && player.at < player.recordedFrom
  return (
    <div className={styles.stage}>
      <div className={styles.bar}>
        {url === undefined ? null : (
          <>
            <Lock className="i i-s" aria-hidden="true" />
            <span className={styles.url}>{shorten(url, 200)}</span>
          </>
        )}
        <span className={styles.badges}>
          {masking && (masking.text || masking.inputs) ? (
            <span className={styles.badge}>
              <EyeOff className="i i-s" aria-hidden="true" />
              {masking.text ? (masking.inputs ? 'Text and inputs masked' : 'Text masked') : 'Inputs masked'}
            </span>
          ) : null}
          <span className={styles.badge}>
            <Picture className="i i-s" aria-hidden="true" />
            {loadsImages
              ? 'Loaded from the site'
              : `Images${stylesheets > 0 ? ` and ${formatMany(stylesheets, 'stylesheet')}` : ''} blocked`}
            {!loadsImages && onLoadImages ? (
              <button
                type="button"
                className="link"
                onClick={onLoadImages}
                title="The recorded site will see your IP address"
              >
                Load
              </button>
            ) : null}
          </span>
        </span>
      </div>
      <div className={styles.picture}>
        <iframe
          key={loadsImages ? 'images' : 'plain'}
          ref={player.frame}
          title="Recorded page"
          src={loadsImages ? '/hydrant-player.html?images=1' : '/hydrant-player.html'}
          tabIndex={-1}
          data-state={player.state}
        />
        {player.state === 'ready' && !isBefore ? null : (
          <p className={styles.veil} role="status">
            {player.state === 'ready'
              ? `The recording begins at ${formatOffset(player.recordedFrom)}.`
              : words[player.state]}
          </p>
        )}
        {children}
      </div>
    </div>
  )
}

const words = {
  loading: 'Loading the recording…',
  empty: 'The recording has no picture of the page: its first segment did not arrive.',
  failed: 'The recording couldn’t be played. Reload the page to try again.',
} as const
