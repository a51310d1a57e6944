import { submissionField } from '#lib/submission.ts'
import { submissionId, withdraw } from '#web/once.ts'
import { requireSignedIn } from '#web/viewer.ts'

/** Whether a submission has arrived whose answer was lost. One that has not is withdrawn, so that nothing happens if it comes late. */
export async function POST(request: Request): Promise<Response> {
  const user = await requireSignedIn()
  const id = submissionId((await request.formData().catch(() => new FormData())).get(submissionField))
  if (id === null) return Response.json({ detail: 'Send the id of a submission.' }, { status: 400 })
  const state = await withdraw(`user:${user.id}`, id)
  return Response.json({ state }, { headers: { 'Cache-Control': 'no-store' } })
}

/** Says that pages can be reached. */
export function GET(): Response {
  return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } })
}
