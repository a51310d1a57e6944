import type { ViewerProject } from '#domain/access/viewer.ts'
import type { ArtifactUsage as Usage } from '#domain/artifacts/list-uploads.ts'
import type { OutcomeTotal } from '#domain/projects/list-outcomes.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { getRuntime } from '#runtime.ts'
import { Blank } from '#ui/blank.tsx'
import { DataTable, numeric } from '#ui/data-table.tsx'
import { formatBytes } from '#ui/format.ts'
import { describeOutcome } from '#ui/outcome-label.ts'
import { Facts, Section } from '#ui/page-parts.tsx'
import { Moment } from '#ui/time/moment.tsx'

export function OutcomeTable({ outcomes, projects }: { outcomes: OutcomeTotal[]; projects: readonly ViewerProject[] }) {
  if (outcomes.length === 0) {
    return (
      <div className="pane">
        <Blank title="Nothing was dropped or rejected">
          Everything that Hydrant receives but doesn’t store is counted here, with the reason.
        </Blank>
      </div>
    )
  }
  const slugOf = new Map(projects.map(({ id, slug }) => [id, slug]))
  return (
    <DataTable label="Dropped and rejected" columns={['Project', 'Category', 'Outcome', 'Reason', numeric('Quantity')]}>
      {outcomes.map(row => (
        <tr key={`${row.project_id} ${row.category} ${row.outcome} ${row.reason}`}>
          <td className="strong">{slugOf.get(row.project_id)}</td>
          <td>{row.category}</td>
          <td className="t2">{describeOutcome(row).label}</td>
          <td className="mono">{describeOutcome(row).reason}</td>
          <td className="num">{formatWhole(row.quantity)}</td>
        </tr>
      ))}
    </DataTable>
  )
}

/** How much space uploaded source maps take, and when they are removed. */
export function ArtifactUsage({ usage }: { usage: Usage }) {
  const { unusedDays, maxBytes } = getRuntime().config.artifacts
  const bound =
    maxBytes === null
      ? ''
      : ` Above ${formatBytes(maxBytes)} in total, the least recently used uploads are removed first.`
  return (
    <Section id="source-maps" title="Source maps" note="stored as long as events use them">
      {usage.bundles === 0 ? (
        <p className="t2">No source maps uploaded yet. Builds need a token to upload them.</p>
      ) : (
        <Facts
          isWide
          facts={[
            { label: 'Uploads', value: `${formatWhole(usage.bundles)}, ${formatBytes(usage.sizeBytes)}` },
            {
              label: 'Never used',
              value: `${formatWhole(usage.unusedBundles)}, ${formatBytes(usage.unusedBytes)}`,
            },
            { label: 'Oldest', value: usage.oldestAt === null ? null : <Moment at={usage.oldestAt} /> },
          ]}
        />
      )}
      <p className="sec-note">
        Uploads that no event has used for {unusedDays} days are removed.{bound}
      </p>
    </Section>
  )
}
