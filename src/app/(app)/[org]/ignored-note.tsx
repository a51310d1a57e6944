import { Suspense } from 'react'
import type { Viewer } from '#domain/access/viewer.ts'
import { isEnvironmentKnown, listEnvironments } from '#domain/events/list-environments.ts'
import { Notice } from '#ui/notice.tsx'
import { shorten } from '#ui/shorten.ts'
import { attempt } from '#web/attempt.ts'
import type { IgnoredParam } from './ignored-params.ts'

type Props = {
  viewer: Viewer
  params: { ignored?: readonly IgnoredParam[] | undefined; environment?: string | undefined }
}

/** Lists the URL parameters that the page ignored, and names an environment that has no data. Renders nothing if all is well. */
export function IgnoredNote({ viewer, params: { ignored = [], environment } }: Props) {
  return (
    <>
      {ignored.length === 0 ? null : (
        <div className="rnote">
          <Notice kind="warning">
            Ignored in the URL, because the value is unknown:{' '}
            {ignored.map(({ name, value }, index) => (
              <span key={name}>
                {index > 0 ? ', ' : null}
                <code>{shorten(`${name}=${value}`, 80)}</code>
              </span>
            ))}
            . The default is shown instead.
          </Notice>
        </div>
      )}
      {environment === undefined ? null : (
        <Suspense>
          <EnvironmentNote viewer={viewer} environment={environment} />
        </Suspense>
      )}
    </>
  )
}

/** A filter that finds nothing looks like a quiet day, so a misspelled environment is named. */
async function EnvironmentNote({ viewer, environment }: { viewer: Viewer; environment: string }) {
  const listed = await attempt('environments', listEnvironments(viewer))
  if (!listed.ok || listed.value.includes(environment)) return null
  const known = await attempt('environment', isEnvironmentKnown(viewer, environment))
  if (!known.ok || known.value) return null
  return (
    <div className="rnote">
      <Notice kind="warning">
        No data has the environment <code>{shorten(environment, 80)}</code>. Choose another one.
      </Notice>
    </div>
  )
}
