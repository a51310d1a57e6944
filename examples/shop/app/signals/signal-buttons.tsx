'use client'

import * as Sentry from '@sentry/nextjs'
import { useState } from 'react'

export function SignalButtons() {
  const [answer, setAnswer] = useState('')

  async function ask(method: string, path: string) {
    const response = await fetch(path, { method })
    setAnswer(`${path} answered ${response.status}`)
  }

  return (
    <div className="buttons">
      <button type="button" onClick={writeLogs}>
        Logs
      </button>
      <button type="button" onClick={countMetrics}>
        Metrics
      </button>
      <button type="button" onClick={() => Sentry.captureFeedback({ message: 'The pots arrived in one piece' })}>
        Feedback
      </button>
      <button type="button" onClick={sendScreenshot}>
        Feedback with a screenshot
      </button>
      {/* For rage clicks: it looks like a button and does nothing. */}
      <button type="button">Nothing happens</button>
      <button type="button" onClick={() => Sentry.startSpan({ name: 'wrap a gift', op: 'task' }, wrapGift)}>
        Span
      </button>
      <button type="button" onClick={() => ask('GET', '/api/items/pot')}>
        Route handler
      </button>
      <button type="button" onClick={() => ask('POST', '/api/fail')}>
        Failing route handler
      </button>
      <button type="button" onClick={() => ask('POST', '/api/signals')}>
        Server logs and metrics
      </button>
      <button type="button" onClick={() => ask('POST', '/api/restock')}>
        Check-in
      </button>
      <button type="button" onClick={() => ask('GET', '/api/edge')}>
        Edge route handler
      </button>
      <p role="status">{answer}</p>
    </div>
  )
}

/** A page cannot take a picture of itself without asking, so this one draws what it shows. */
function sendScreenshot() {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: 320, height: 80 })
  canvas.getContext('2d')?.fillText(document.title, 10, 40)
  canvas.toBlob(async blob => {
    if (!blob) return
    const data = new Uint8Array(await blob.arrayBuffer())
    const attachment = { filename: 'screenshot.png', contentType: 'image/png', data }
    Sentry.captureFeedback({ message: 'This pot is upside down' }, { attachments: [attachment] })
  })
}

function writeLogs() {
  Sentry.logger.info('Basket opened', { items: 2 })
  Sentry.logger.warn(Sentry.logger.fmt`Only ${3} pots left`)
}

function countMetrics() {
  Sentry.metrics.count('basket.opened', 1)
  Sentry.metrics.distribution('basket.value', 6050, { unit: 'cent' })
}

async function wrapGift() {
  await new Promise(resolve => setTimeout(resolve, 20))
}
