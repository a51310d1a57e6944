import type { ReactNode } from 'react'

export type Fact = { label: string; value: ReactNode }

/** Label and value, one line each; what is not known is left out, not drawn as a dash. */
export function Facts({ facts, isWide = false }: { facts: Fact[]; isWide?: boolean }) {
  return (
    <dl className={isWide ? 'facts wide' : 'facts'}>
      {facts
        .filter(({ value }) => value !== '' && value !== null && value !== undefined)
        .map(({ label, value }, index) => (
          <div key={index} className="contents">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
