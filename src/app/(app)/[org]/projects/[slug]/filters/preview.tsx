import type { Viewer } from '#domain/access/viewer.ts'
import type { Filter } from '#domain/filters/filters.ts'
import { previewFilter } from '#domain/filters/preview-filter.ts'
import { Ago } from '#ui/ago.tsx'
import { FailedPanel } from '#ui/blank.tsx'
import { formatCount } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { shorten } from '#ui/shorten.ts'
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

/** What a choice would have done to the newest events, before it is made. */
export async function Preview({ viewer, project, filter, choice, path, hasExamples }: Props) {
  const found = await attempt(
    'filter preview',
    previewFilter(viewer, { projectId: project.id, rule: filter.rule, days }),
  )
  if (!found.ok) return <FailedPanel what="The preview" reference={found.reference} />
  const { looked, since, caught, groups, moreGroups } = found.value
  const isUnchanged = choice === choiceOf(filter)
  return (
    <section className="preview" aria-label={`Preview: ${labelOf(choice)}`}>
      <p role="status">
        {looked === 0 ? (
          <>No event was kept in the last {days} days, so there is nothing to try it on.</>
        ) : (
          <>
            <b>{caught.toLocaleString('en-US')}</b> of the last {looked.toLocaleString('en-US')} kept events (since{' '}
            <Ago at={since} now={viewer.now} />) are of this kind.{' '}
            {choice === 'off'
              ? 'They stay.'
              : choice === 'on'
                ? 'Events like them would be dropped.'
                : `Of events like them, ${labelOf(choice).slice(5)} would be kept, and count for the rest.`}
          </>
        )}
        {choice === 'off' && filter.mode !== 'off' && hasExamples
          ? ' What is dropped now, as in the examples above, would be kept.'
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
          {moreGroups > 0 ? <li className="t3">and {moreGroups} more kinds</li> : null}
        </ul>
      ) : null}
      <div className="row">
        {isUnchanged ? (
          <span className="t3">This is what is done now.</span>
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
