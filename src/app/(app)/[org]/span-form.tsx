'use client'
import { type FormEvent, useId, useState } from 'react'
import { useNavigate } from '#ui/navigation.tsx'
import { useIsBrowser } from '#ui/use-is-browser.ts'
import styles from './span-form.module.css'

type Span = { from: number; to: number }
type Props = {
  /** The page's URL with any `start` and `end`. */
  href: string
  span: Span | null
}

/** Two moments in the local time zone. Without JavaScript they are UTC, as the labels say then. */
export function SpanForm({ href, span }: Props) {
  const navigate = useNavigate()
  const isLocal = useIsBrowser()
  const [fault, setFault] = useState('')
  const id = useId()
  const [path = '', search] = href.split('?')
  const kept = [...new URLSearchParams(search)].filter(([name]) => name !== 'start' && name !== 'end')
  function apply(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const [start, end] = ['start', 'end'].map(name => new Date(String(fields.get(name))).getTime())
    const wrong = !start || !end ? 'Enter a start and an end.' : start >= end ? 'The start must be before the end.' : ''
    setFault(wrong)
    if (wrong) return
    const params = new URLSearchParams(kept)
    params.set('start', String(start))
    params.set('end', String(end))
    event.currentTarget.closest('details')?.removeAttribute('open')
    navigate(`${path}?${params}`)
  }
  return (
    <form className={styles.form} action={path} onSubmit={apply} noValidate>
      {kept.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Moment label="From" name="start" at={span?.from} isLocal={isLocal} isFaulty={fault !== ''} describedBy={id} />
      <Moment label="To" name="end" at={span?.to} isLocal={isLocal} isFaulty={fault !== ''} describedBy={id} />
      <p id={id} className={styles.fault} role="alert">
        {fault}
      </p>
      {/* The menu would close on a click, and with it hide what is wrong. */}
      <button type="submit" className="btn s" onClick={event => event.stopPropagation()}>
        Apply
      </button>
    </form>
  )
}

type MomentProps = {
  label: string
  name: string
  at: number | undefined
  isLocal: boolean
  isFaulty: boolean
  describedBy: string
}

function Moment({ label, name, at, isLocal, isFaulty, describedBy }: MomentProps) {
  return (
    <label className={styles.field}>
      <span>
        {label}
        {isLocal ? '' : ' (UTC)'}
      </span>
      <input
        // Another key after hydration, because the value is that of another time zone.
        key={String(isLocal)}
        className="inp"
        type="datetime-local"
        name={name}
        defaultValue={at === undefined ? '' : toField(at, isLocal)}
        aria-invalid={isFaulty ? true : undefined}
        aria-describedby={describedBy}
      />
    </label>
  )
}

/** `2026-11-15T02:40`. */
function toField(at: number, isLocal: boolean): string {
  const offsetMs = isLocal ? new Date(at).getTimezoneOffset() * 60_000 : 0
  return new Date(at - offsetMs).toISOString().slice(0, 16)
}
