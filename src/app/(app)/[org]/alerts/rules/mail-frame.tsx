'use client'
import { useRef, useState } from 'react'
import type { Drawing } from '#domain/channels/drawing/drawing.ts'
import styles from './drawing.module.css'

const leastPx = 120

/** The HTML of a mail in a frame of its own: without scripts, and as high as its content. */
export function MailFrame({ mail }: { mail: Extract<Drawing, { kind: 'mail' }> }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(leastPx)
  return (
    <figure className={`${styles.drawing} ${styles.mail}`} aria-label="As a mail program shows it">
      <figcaption>
        <b>{mail.subject}</b>
        <p>
          From {mail.from}
          <br />
          To {mail.to}
        </p>
      </figcaption>
      <iframe
        ref={frame}
        title={`Mail: ${mail.subject}`}
        srcDoc={mail.html}
        sandbox="allow-same-origin"
        tabIndex={-1}
        style={{ height }}
        onLoad={() => setHeight(frame.current?.contentDocument?.documentElement.scrollHeight ?? leastPx)}
      />
    </figure>
  )
}
