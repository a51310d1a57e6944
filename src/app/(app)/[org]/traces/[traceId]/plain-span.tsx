import { findSpan } from '#queries/trace/find-span.ts'
import type { Viewer } from '#queries/viewer.ts'
import { SpanBody } from '#ui/trace/span-body.tsx'
import { viewSpan } from './view-span.ts'

/** The span that a plain row leads to, for those without script: with script it stands in the drawer. */
export async function PlainSpan({ viewer, traceId, spanId }: { viewer: Viewer; traceId: string; spanId: string }) {
  const span = await findSpan(viewer, traceId, spanId)
  return (
    <noscript>
      <section id="span" className="drawer plain" aria-label="Span">
        <h2>{span ? span.name : 'This span has not been received'}</h2>
        {span ? <SpanBody view={await viewSpan(viewer, span)} /> : null}
      </section>
    </noscript>
  )
}
