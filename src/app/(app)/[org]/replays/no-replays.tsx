import type { Viewer } from '#domain/access/viewer.ts'
import { Blank } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'
import { Step } from '#ui/page-parts.tsx'
import { CodeBlock } from '#ui/snippets/code-block.tsx'
import { readTimeZone } from '#web/time-zone.ts'
import { inTime } from '../list-params.ts'
import styles from './no-replays.module.css'
import { type ReplayParams, replaysHref } from './search-params.ts'

const set = `// instrumentation-client.ts
Sentry.init({
  // …
  integrations: [Sentry.replayIntegration()],
  replaysOnErrorSampleRate: 1, // visits with an error, from a minute before it
  replaysSessionSampleRate: 0, // raise it to record other visits too
})`

/** Says why the list is empty and offers the next step. */
export async function NoReplays({ viewer, params }: { viewer: Viewer; params: ReplayParams }) {
  const { slug } = viewer.organization
  const go = (label: string, change: Partial<ReplayParams>, look = 'btn') => (
    <Link className={look} href={replaysHref(slug, params, change)}>
      {label}
    </Link>
  )
  if (params.after)
    return (
      <Blank title="No more replays" actions={go('First page', {})}>
        This page is past the end of the list.
      </Blank>
    )
  const { zone } = await readTimeZone()
  const isLongest = !params.span && (params.range === '30d' || params.range === '90d')
  const isPlain = params.q === '' && !params.environment && params.projects.length === 0
  return (
    <>
      <Blank
        title={`No replays ${inTime(params, zone)}`}
        actions={
          <>
            {isLongest ? null : go('Search last 30 days', { range: '30d', span: undefined }, 'btn primary')}
            {isPlain ? null : go('All replays', { q: '', environment: undefined, projects: [] })}
          </>
        }
      >
        {isPlain
          ? 'A replay shows what a user saw before an error. Text and inputs are masked in the browser, before anything is sent.'
          : `No replay matches ${params.q.slice(0, 200) || 'these filters'}.`}
      </Blank>
      {isPlain ? (
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
