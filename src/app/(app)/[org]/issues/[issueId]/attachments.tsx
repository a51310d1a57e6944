import { Download } from 'lucide-react'
import type { StoredEvent } from '#queries/find-event.ts'
import type { Issue } from '#queries/find-issue.ts'
import { recallAttachments } from '#queries/list-attachments.ts'
import type { Viewer } from '#queries/viewer.ts'
import { FailedPanel } from '#ui/failed-panel.tsx'
import { formatBytes } from '#ui/format-bytes.ts'
import { Section } from '#ui/section.tsx'
import { shorten } from '#ui/shorten.ts'
import { attempt } from '#web/attempt.ts'

type Props = { viewer: Viewer; issue: Issue; event: StoredEvent; href: string }

/** Files that strangers sent: offered for download, never drawn. */
export async function Attachments({ viewer, issue, event, href }: Props) {
  const found = await attempt('attachments', recallAttachments(viewer, issue, event))
  if (!found.ok) return <FailedPanel what="Attachments" reference={found.reference} />
  if (found.value.length === 0) return null
  return (
    <Section title="Attachments" note={`${found.value.length}`}>
      <ul className="files">
        {found.value.map(({ name, filename, contentType, sizeBytes }) => (
          <li key={name}>
            <a className="link mono" href={`${href}/${name}`} download>
              <Download className="i i-s" aria-hidden="true" /> {shorten(filename, 120)}
            </a>
            <span className="t3">
              {shorten(contentType, 60)} {formatBytes(sizeBytes)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
