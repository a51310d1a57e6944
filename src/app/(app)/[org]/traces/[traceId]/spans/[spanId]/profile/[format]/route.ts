import { notFound } from 'next/navigation'
import { exportFormats, exportProfile } from '#domain/profiles/export-profile.ts'
import { requireViewer } from '#web/viewer.ts'
import { loadProfile } from '../load-profile.ts'

type Context = { params: Promise<{ org: string; traceId: string; spanId: string; format: string }> }

const names = { speedscope: 'speedscope.json', chrome: 'cpuprofile' }

/** The profile of a span as a file for speedscope or for the developer tools of Chrome. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { org, traceId, spanId, format } = await params
  const viewer = await requireViewer(org)
  const chosen = exportFormats.find(each => each === format) ?? notFound()
  const found = await loadProfile(viewer, { traceId, spanId })
  if (!found?.profile) return notFound()
  return new Response(JSON.stringify(exportProfile(found.profile, found.span.name, chosen)), {
    headers: {
      'Content-Type': 'application/json',
      'Content-Disposition': `attachment; filename="profile-${spanId}.${names[chosen]}"`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    },
  })
}
