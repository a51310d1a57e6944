'use client'

import * as Sentry from '@sentry/nextjs'

export function ErrorButtons() {
  return (
    <div className="buttons">
      <button type="button" onClick={throwInHandler}>
        Throw
      </button>
      <button type="button" onClick={rejectUnheard}>
        Reject
      </button>
      <button type="button" onClick={() => Sentry.captureMessage('The basket was left behind', 'warning')}>
        Message
      </button>
      <button type="button" onClick={captureWithCause}>
        Exception with a cause
      </button>
      <button type="button" onClick={captureWithAttachment}>
        Exception with an attachment
      </button>
      <button type="button" onClick={captureIgnored}>
        Ignored exception
      </button>
    </div>
  )
}

function throwInHandler() {
  throw new TypeError('The basket has no total')
}

function rejectUnheard() {
  void Promise.reject(new Error('The voucher service did not answer'))
}

function captureWithCause() {
  const cause = new RangeError('Postcode 00000 is outside every zone')
  Sentry.captureException(new Error('Shipping could not be priced', { cause }))
}

function captureWithAttachment() {
  Sentry.captureException(new Error('The receipt could not be printed'), scope =>
    scope.addAttachment({ filename: 'receipt.txt', data: '1 × Terracotta pot\n', contentType: 'text/plain' }),
  )
}

/** Dropped inside the SDK by `ignoreErrors`: the server hears of it as a count in a client report. */
function captureIgnored() {
  Sentry.captureException(new Error('The visitor changed their mind'))
}
