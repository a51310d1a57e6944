'use client'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Level } from '../level.tsx'
import { probe, useIsLost } from './connection.ts'
import { saveDrafts } from './draft.ts'
import { describeLoss, describeLosses } from './loss.ts'
import { dropLosses, type Loss, useLosses } from './losses.ts'
import './watch-fetch.ts'

const recoveredMs = 4_000

/** Shows the changes that didn't get through, or that Hydrant can't be reached, with buttons to fix it. There is one per page. */
export function LostNote() {
  const losses = useLosses()
  const isLost = useIsLost()
  const isBack = useIsBack(isLost)
  if (losses.length > 0) return <Losses losses={losses} />
  if (isLost)
    return (
      <Note text="Couldn’t reach Hydrant. Trying again…" isFailure>
        <button type="button" className="btn plain s" onClick={() => void probe()}>
          Try now
        </button>
      </Note>
    )
  return isBack ? <Note text="Connected again." /> : null
}

function Losses({ losses }: { losses: readonly Loss[] }) {
  const { text, remedies } = describeLosses(losses.map(({ kind }) => kind))
  const retry = () => {
    const retried = losses.filter(({ kind }) => describeLoss(kind).remedies.includes('retry'))
    dropLosses()
    for (const { again } of retried) again()
  }
  const reload = () => {
    saveDrafts()
    location.reload()
  }
  return (
    <Note text={text} isFailure onDismiss={dropLosses}>
      {remedies.map(remedy =>
        remedy === 'sign-in' ? (
          // Opens in a new tab, because this one has the draft.
          <a key={remedy} className="btn plain s" href="/login" target="_blank" rel="noopener">
            Sign in
          </a>
        ) : (
          <button key={remedy} type="button" className="btn plain s" onClick={remedy === 'retry' ? retry : reload}>
            {remedy === 'retry' ? 'Retry' : 'Reload'}
          </button>
        ),
      )}
    </Note>
  )
}

type NoteProps = { text: string; isFailure?: boolean; onDismiss?: () => void; children?: React.ReactNode }

function Note({ text, isFailure = false, onDismiss, children }: NoteProps) {
  return (
    <div className="toasts lost">
      <div className="toast" data-stay="">
        <Level level={isFailure ? 'error' : 'ok'} />
        <span role={isFailure ? 'alert' : 'status'}>{text}</span>
        {children}
        {onDismiss ? (
          <button type="button" className="icon-btn" aria-label="Dismiss" onClick={onDismiss}>
            <X className="i i-s" aria-hidden="true" />
          </button>
        ) : null}
      </div>
    </div>
  )
}

/** For a moment after the connection was lost. */
function useIsBack(isLost: boolean): boolean {
  const [wasLost, setWasLost] = useState(false)
  if (isLost && !wasLost) setWasLost(true)
  useEffect(() => {
    if (isLost || !wasLost) return
    const timer = setTimeout(() => setWasLost(false), recoveredMs)
    return () => clearTimeout(timer)
  }, [isLost, wasLost])
  return wasLost && !isLost
}
