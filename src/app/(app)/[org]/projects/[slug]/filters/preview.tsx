import type { Viewer } from '#domain/access/viewer.ts'
import type { Filter } from '#domain/filters/filters.ts'
import { previewFilter } from '#domain/filters/preview-filter.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { formatCount } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { shorten } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import { attempt } from '#web/attempt.ts'
import { choiceOf, type FilterChoice, labelOf } from './filter-choice.ts'
import { SaveFilter } from './save-filter.tsx'

type Props = {
  viewer: Viewer
  project: { id: number; slug: string }
  filter: Filter
  choice: FilterChoice
  path: string
  hasExamples: boolean
}

const days = 14

/** Shows what a mode would have done to the latest stored events. */
export async function Preview({ viewer, project, filter, choice, path, hasExamples }: Props) {
  const found = await attempt(
    'filter preview',
    previewFilter(viewer, { projectId: project.id, rule: filter.rule, days }),
  )
  if (!found.ok) return <FailedPanel what="Preview" reference={found.reference} />
  const { checked, since, caught, groups, moreGroups } = found.value
  const isUnchanged = choice === choiceOf(filter)
  return (
    <section className="preview" aria-label={`Preview: ${labelOf(choice)}`}>
      <p role="status">
        {checked === 0 ? (
          <>No events were stored in the last {days} days, so there is nothing to preview.</>
        ) : (
          <>
            <b>{formatWhole(caught)}</b> of the last {formatWhole(checked)} stored events (since{' '}
            <Ago at={since} now={viewer.now} />) match.{' '}
            {choice === 'off'
              ? 'Events like these would be stored.'
              : choice === 'on'
                ? 'Events like these would be dropped.'
                : `Events like these would be sampled: ${labelOf(choice).slice(5)} is stored and weighted.`}
          </>
        )}
        {choice === 'off' && filter.mode !== 'off' && hasExamples
          ? ' Events that are dropped now, like the examples above, would be stored.'
          : null}
      </p>
      {groups.length > 0 ? (
        <ul className="examples">
          {groups.map(({ title, events, lastSeen }) => (
            <li key={`${title} ${lastSeen}`}>
              <span className="mono">{shorten(title, 200)}</span>
              <span className="t3">
                {formatCount(events)} × · <Ago at={lastSeen} now={viewer.now} />
              </span>
            </li>
          ))}
          {moreGroups > 0 ? <li className="t3">and {moreGroups} more groups</li> : null}
        </ul>
      ) : null}
      <div className="row">
        {isUnchanged ? (
          <span className="t3">This is the current setting.</span>
        ) : (
          <SaveFilter
            organizationSlug={viewer.organization.slug}
            project={project}
            rule={filter.rule}
            to={choice}
            label={`${labelOf(choice)} from now on`}
          />
        )}
        <Link className="btn plain s" href={`${path}#${filter.rule}`} scroll={false}>
          Close
        </Link>
      </div>
    </section>
  )
}
