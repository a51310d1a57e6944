import { Download } from 'lucide-react'
import { formatBytes } from '#ui/format-bytes.ts'
import { ScrollRegion } from '#ui/scroll-region.tsx'
import { Section } from '#ui/section.tsx'
import { shorten } from '#ui/shorten.ts'

const maxShownChars = 60_000 // the page carries it twice, once for React; the download has all of it

/** Everything that was kept, folded; the download is a file and never drawn. */
export function EventJson({ json, sizeBytes, href }: { json: string; sizeBytes: number; href: string }) {
  return (
    <Section
      title="Whole event"
      note={formatBytes(sizeBytes)}
      actions={
        <a className="btn s" href={href} download>
          <Download className="i" aria-hidden="true" />
          Download JSON
        </a>
      }
    >
      <details className="fold-json">
        <summary>Show the JSON</summary>
        <ScrollRegion className="json" label="Event as JSON">
          <pre>{shorten(json, maxShownChars)}</pre>
        </ScrollRegion>
      </details>
    </Section>
  )
}
