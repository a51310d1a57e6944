import { Section } from '../section.tsx'
import { shorten } from '../shorten.ts'

type Why = {
  version: number
  hash: string
  summary: string
  parts: { label: string; value: string }[]
  ignored: { what: string; why: string }[]
}

const maxParts = 40

/** What counted when the event was put into its issue, in plain words. */
export function WhyGrouped({ why }: { why: Why }) {
  return (
    <Section id="grouping" title="Why these events are one issue">
      <p className="t2 prose">{why.summary}</p>
      <dl className="facts wide why">
        {why.parts.slice(0, maxParts).map(({ label, value }, index) => (
          <div key={index} className="contents">
            <dt>{label}</dt>
            <dd className="mono">{shorten(value, 300)}</dd>
          </div>
        ))}
        {why.ignored.slice(0, maxParts).map(({ what, why: reason }, index) => (
          <div key={`ignored-${index}`} className="contents">
            <dt>Left out</dt>
            <dd>
              {shorten(what, 200)} <span className="t3">{shorten(reason, 200)}</span>
            </dd>
          </div>
        ))}
        <dt>Fingerprint</dt>
        <dd>
          <span className="mono">{why.hash.slice(0, 12)}</span> <span className="t3">version {why.version}</span>
        </dd>
      </dl>
    </Section>
  )
}
