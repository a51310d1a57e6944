import { Check, X } from 'lucide-react'

type Props = { checks: { text: string; fits: boolean }[] }

/** What was looked for, and whether it was there. */
export function Evidence({ checks }: Props) {
  return (
    <ul className="evid">
      {checks.map(({ text, fits }) => (
        <li key={text}>
          {fits ? <Check className="i good" aria-hidden="true" /> : <X className="i t3" aria-hidden="true" />}
          <span className={fits ? '' : 't3'}>{text}</span>
          <span className="t3">{fits ? 'found' : 'not found'}</span>
        </li>
      ))}
    </ul>
  )
}
