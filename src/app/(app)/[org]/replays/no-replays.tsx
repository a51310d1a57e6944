import type { Viewer } from '#domain/access/viewer.ts'
import { Step } from '#ui/page-parts.tsx'
import { CodeBlock } from '#ui/snippets/code-block.tsx'
import { isUnfiltered, NothingListed } from '../list-states.tsx'
import styles from './no-replays.module.css'
import { type ReplayParams, replaysHref } from './search-params.ts'

const set = `// instrumentation-client.ts
Sentry.init({
  // …
  integrations: [Sentry.replayIntegration()],
  replaysOnErrorSampleRate: 1, // visits with an error, from a minute before it
  replaysSessionSampleRate: 0, // raise it to record other visits too
})`

/** Says why the list is empty, and how to record the first replays. */
export function NoReplays({ viewer, params }: { viewer: Viewer; params: ReplayParams }) {
  const { slug } = viewer.organization
  return (
    <>
      <NothingListed
        noun="replay"
        {...{ params, defaultQuery: '' }}
        all="All replays"
        href={change => replaysHref(slug, params, change)}
        about="A replay shows what a user saw before an error. Text and inputs are masked in the browser, before anything is sent."
      />
      {isUnfiltered(params, '') && !params.after ? (
        <div className={styles.steps}>
          <Step number={1} title="Record visits that end in an error">
            <p>The SDK keeps the last minute in memory and sends it only if something breaks.</p>
            <div className="snip">
              <CodeBlock code={set} label="Next.js, client" />
            </div>
          </Step>
          <Step number={2} title="Choose what is recorded">
            <p>
              All text, inputs and images are masked by default. To show the text of labels, add{' '}
              <code>data-sentry-unmask</code> to their element.
            </p>
          </Step>
          <Step number={3} title="Cause an error">
            <p>A replay of less than five seconds is not sent.</p>
          </Step>
        </div>
      ) : null}
    </>
  )
}
