'use client'
import { type FormEvent, useId, useState } from 'react'
import { parseZonedTime, zonedIso } from '#lib/time-zone.ts'
import { useNavigate } from '#ui/navigation.tsx'
import { useZone } from '#ui/time/zone-provider.tsx'
import { useIsBrowser } from '#ui/use-is-browser.ts'
import styles from './span-form.module.css'

type Span = { from: number; to: number }
type Props = {
  /** The page's URL with any `start` and `end`. */
  href: string
  span: Span | null
}

/** Two moments in the zone of the page, as a note says. Without JavaScript they are UTC: the URL holds no zone. */
export function SpanForm({ href, span }: Props) {
  const navigate = useNavigate()
  const own = useZone()
  const zone = useIsBrowser() ? own : 'UTC'
  const [fault, setFault] = useState('')
  const id = useId()
  const [path = '', search] = href.split('?')
  const kept = [...new URLSearchParams(search)].filter(([name]) => name !== 'start' && name !== 'end')
  function apply(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const [start, end] = ['start', 'end'].map(name => parseZonedTime(String(fields.get(name)), zone))
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
      <MomentField
        label="From"
        name="start"
        at={span?.from}
        zone={zone}
        isFaulty={fault !== ''}
        describedBy={`${id}zone ${id}`}
      />
      <MomentField
        label="To"
        name="end"
        at={span?.to}
        zone={zone}
        isFaulty={fault !== ''}
        describedBy={`${id}zone ${id}`}
      />
      <p id={`${id}zone`} className="t3">
        Times are in {zone.replaceAll('_', ' ')}.
      </p>
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
  zone: string
  isFaulty: boolean
  describedBy: string
}

function MomentField({ label, name, at, zone, isFaulty, describedBy }: MomentProps) {
  return (
    <label className={styles.field}>
      <span>{label}</span>
      <input
        // Another key after hydration, because the value is that of another time zone.
        key={zone}
        className="inp"
        type="datetime-local"
        name={name}
        defaultValue={at === undefined ? '' : zonedIso(at, zone).slice(0, 16)}
        aria-invalid={isFaulty ? true : undefined}
        aria-describedby={describedBy}
      />
    </label>
  )
}
