import type { ArtifactUsage as Usage } from '#queries/releases/measure-artifacts.ts'
import { getRuntime } from '#runtime.ts'
import { Facts } from '#ui/facts.tsx'
import { formatBytes } from '#ui/format-bytes.ts'
import { formatMoment } from '#ui/format-moment.ts'
import { Section } from '#ui/section.tsx'

/** What uploaded source maps take, and by which rule they go. */
export function ArtifactUsage({ usage }: { usage: Usage }) {
  const { unusedDays, maxBytes } = getRuntime().config.artifacts
  const bound = maxBytes === null ? '' : ` Above ${formatBytes(maxBytes)} in all, those needed longest ago go first.`
  return (
    <Section id="source-maps" title="Source maps" note="kept as long as events need them">
      {usage.bundles === 0 ? (
        <p className="t2">Nothing has been uploaded yet. Builds upload with a token.</p>
      ) : (
        <Facts
          isWide
          facts={[
            { label: 'Uploads', value: `${usage.bundles.toLocaleString('en-US')}, ${formatBytes(usage.sizeBytes)}` },
            {
              label: 'Never needed',
              value: `${usage.unusedBundles.toLocaleString('en-US')}, ${formatBytes(usage.unusedBytes)}`,
            },
            { label: 'Oldest', value: usage.oldestAt === null ? null : formatMoment(usage.oldestAt) },
          ]}
        />
      )}
      <p className="t3 mt-2">
        An upload that no event has needed for {unusedDays} days is removed.{bound}
      </p>
    </Section>
  )
}
