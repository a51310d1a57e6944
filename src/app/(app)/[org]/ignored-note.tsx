import { Notice } from '#ui/notice.tsx'
import { shorten } from '#ui/shorten.ts'
import type { IgnoredParam } from './ignored-params.ts'

/** Lists the URL parameters that the page ignored. Renders nothing if it ignored none. */
export function IgnoredNote({
  params: { ignored = [] },
}: {
  params: { ignored?: readonly IgnoredParam[] | undefined }
}) {
  if (ignored.length === 0) return null
  return (
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
  )
}
