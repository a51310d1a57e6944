import type { HydrationView } from '#domain/events/explain-event.ts'
import { getRuntime } from '#runtime.ts'
import { Section } from '#ui/page-parts.tsx'
import { HydrationDiff } from '#ui/react/hydration-diff.tsx'
import { Evidence } from '#ui/react/rollout-chart.tsx'
import { shorten } from '#ui/shorten.ts'

const about: Record<string, string> = {
  text: 'React found another text than the server had sent, threw the nearest boundary’s HTML away and rendered it again in the browser.',
  markup:
    'React found other elements than the server had sent, threw the nearest boundary’s HTML away and rendered it again in the browser.',
  attributes: 'React found other attributes than the server had sent, and left them as they were.',
  nesting: 'An element stands in one that may not contain it: the browser moved it, so the tree can never be React’s.',
  early: 'Something updated the page before React had taken it over, so the part was rendered again in the browser.',
  anything: 'React found other content than the server had sent, and rendered it again in the browser.',
}

/** What differed and why, as far as the event tells; what is missing, and how to get it. */
export function HydrationSections({ insight }: { insight: HydrationView }) {
  const { fragments, guess, checks } = insight
  const fitting = checks.filter(({ fits }) => fits).length
  return (
    <>
      <Section id="hydration" title="What differed" note={insight.code === null ? undefined : `React #${insight.code}`}>
        {fragments ? (
          <>
            <HydrationDiff server={fragments.server} client={fragments.client} />
            <p className="dompath">{shorten(fragments.path, 300)}</p>
          </>
        ) : (
          <>
            <p className="t2">{about[insight.about] ?? about.anything}</p>
            <HelperHint publicUrl={getRuntime().config.publicUrl} />
          </>
        )}
      </Section>
      {guess ? (
        <Section
          id="cause"
          title="Likely cause"
          note={`${guess.name}${fitting === 1 ? ', nothing else fits' : ', the first that fits'}`}
        >
          <div className="cause">
            <Evidence checks={checks} />
            <div>
              <p>{guess.says}</p>
              <p className="t2 mt-2">{guess.advice}</p>
            </div>
          </div>
        </Section>
      ) : null}
    </>
  )
}

/** How to see the difference the next time: the event alone does not carry it. */
function HelperHint({ publicUrl }: { publicUrl: string }) {
  return (
    <>
      <p className="t2 mt-2">
        React does not say in production what differed. Hydrant’s browser helper (below 2 KB) keeps the server’s HTML
        until React takes over, and attaches both sides to such an error. Either as a script in the head:
      </p>
      <pre className="howto">{`<script src="${publicUrl}/hydrant-hydration.js"></script>`}</pre>
      <p className="t2 mt-2">
        or saved into the app from <code>{publicUrl}/hydrant-hydration.mjs</code> and added to the SDK:
      </p>
      <pre className="howto">{`import { hydrationIntegration } from './hydrant-hydration.mjs'

Sentry.init({ dsn, integrations: [hydrationIntegration()] })`}</pre>
    </>
  )
}
