import type { ReactErrorExplanation } from '#queries/explain-react-error.ts'
import { Facts } from '../facts.tsx'
import { Section } from '../section.tsx'
import { shorten } from '../shorten.ts'

/** What a number of React's means. The arguments come from the event, so they are shown as text and nothing else. */
export function ReactError({ explanation }: { explanation: ReactErrorExplanation }) {
  const { code, entry, args, isTruncated, address } = explanation
  return (
    <Section
      id="react-error"
      title={`React error ${code}`}
      note={entry?.name}
      actions={
        <a className="link" href={address} target="_blank" rel="noreferrer noopener">
          React’s own words
        </a>
      }
    >
      <div className="react-error">
        {entry ? null : (
          <p>Production builds of React give a number instead of a message. This one is explained behind the link.</p>
        )}
        <Facts
          facts={[
            { label: 'What happened', value: entry?.means },
            { label: 'Usual cause', value: entry?.cause },
            { label: 'Next step', value: entry?.next },
            ...args.map(({ label, value }) => ({ label, value: <code>{shorten(value, 400)}</code> })),
          ]}
        />
        {isTruncated ? <p className="t3">The message was cut before its end; arguments may be missing.</p> : null}
      </div>
    </Section>
  )
}
