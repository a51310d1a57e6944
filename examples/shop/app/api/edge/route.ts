import * as Sentry from '@sentry/nextjs'

export const runtime = 'edge'

export async function GET(): Promise<Response> {
  Sentry.captureMessage('Asked at the edge')
  return Response.json({ runtime: process.env.NEXT_RUNTIME })
}
