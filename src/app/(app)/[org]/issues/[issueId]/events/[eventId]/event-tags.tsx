import { Facts } from '#ui/facts.tsx'
import { Section } from '#ui/section.tsx'
import { shorten } from '#ui/shorten.ts'

const maxTags = 200

export function EventTags({ tags }: { tags: Record<string, string> }) {
  const entries = Object.entries(tags).sort(([a], [b]) => a.localeCompare(b))
  if (entries.length === 0) return null
  const hidden = entries.length - maxTags
  return (
    <Section
      title="Tags"
      note={hidden > 0 ? `the first ${maxTags}; ${hidden.toLocaleString('en-US')} more are in the JSON` : undefined}
    >
      <Facts
        isWide
        facts={entries
          .slice(0, maxTags)
          .map(([name, value]) => ({ label: shorten(name, 60), value: shorten(value, 300) }))}
      />
    </Section>
  )
}
