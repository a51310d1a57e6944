import { Download } from 'lucide-react'
import type { Attachment } from '#queries/list-attachments.ts'
import { formatBytes } from '#ui/format-bytes.ts'
import { Section } from '#ui/section.tsx'
import { shorten } from '#ui/shorten.ts'

/** Files that strangers sent: offered for download, never drawn. */
export function Attachments({ attachments, href }: { attachments: Attachment[]; href: string }) {
  return (
    <Section title="Attachments" note={`${attachments.length}`}>
      <ul className="files">
        {attachments.map(({ name, filename, contentType, sizeBytes }) => (
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
