import type { HydrationView } from '#domain/events/explain-event.ts'
import { getRuntime } from '#runtime.ts'
import { Section } from '#ui/page-parts.tsx'
import { HydrationDiff } from '#ui/react/hydration-diff.tsx'
import { Evidence } from '#ui/react/rollout-chart.tsx'
import { DomChange } from '#ui/replay/dom-change.tsx'
import { shorten } from '#ui/shorten.ts'

const about: Record<string, string> = {
  text: 'The text in the browser differed from the server’s HTML. React discarded the HTML of the nearest boundary and rendered it again in the browser.',
  markup:
    'The elements in the browser differed from the server’s HTML. React discarded the HTML of the nearest boundary and rendered it again in the browser.',
  attributes: 'Attributes in the browser differed from the server’s HTML. React left them unchanged.',
  nesting:
    'Invalid HTML nesting: the browser moved an element out of a parent that can’t contain it, so the DOM can’t match React’s tree.',
  early: 'The page was updated before hydration finished, so React rendered this part again in the browser.',
  anything: 'The content in the browser differed from the server’s HTML, so React rendered it again in the browser.',
}

/** The difference and its likely cause. `domHref` reads the page before and after from the replay, if there is one. Without the hydration helper there is no diff, so the section explains how to add it. */
export function HydrationSections({ insight, domHref }: { insight: HydrationView; domHref: string | null }) {
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
        {domHref === null ? null : <DomChange href={domHref} />}
      </Section>
      {guess ? (
        <Section
          id="cause"
          title="Likely cause"
          note={`${guess.name}${fitting === 1 ? ', no other cause matches' : ', first match'}`}
        >
          <div className="cause">
            <Evidence checks={checks} />
            <div>
              <p>{guess.explanation}</p>
              <p className="t2">{guess.advice}</p>
            </div>
          </div>
        </Section>
      ) : null}
    </>
  )
}

function HelperHint({ publicUrl }: { publicUrl: string }) {
  return (
    <>
      <p className="howto-text">
        In production, React doesn’t report what differed. Hydrant’s hydration helper (under 2 KB) keeps the server’s
        HTML until React hydrates and attaches both versions to the error. Add it as a script in the head:
      </p>
      <pre className="howto">{`<script src="${publicUrl}/hydrant-hydration.js"></script>`}</pre>
      <p className="howto-text">
        or save <code>{publicUrl}/hydrant-hydration.mjs</code> in your app and add it to the SDK:
      </p>
      <pre className="howto">{`import { hydrationIntegration } from './hydrant-hydration.mjs'

Sentry.init({ dsn, integrations: [hydrationIntegration()] })`}</pre>
    </>
  )
}
