'use client'
import { useState } from 'react'
import styles from './picture.module.css'

/** A private picture of unknown size from an app. If it can't be drawn, the page says so; its file can still be downloaded. */
export function Picture({ src, alt }: { src: string; alt: string }) {
  const [hasFailed, setHasFailed] = useState(false)
  if (hasFailed) return <p className="t3">This picture can’t be shown here. Download it to open it.</p>
  return (
    // biome-ignore lint/performance/noImgElement: nothing may optimize or cache it
    <img
      className={styles.picture}
      src={src}
      alt={alt}
      // It may have failed before React was there.
      ref={img => {
        if (img?.complete && img.naturalWidth === 0) setHasFailed(true)
      }}
      onError={() => setHasFailed(true)}
    />
  )
}
