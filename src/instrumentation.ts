import type { Instrumentation } from 'next'

/** Next calls this for every error that a page, action or route handler throws. */
export const onRequestError: Instrumentation.onRequestError = async (error, request, context) => {
  // A constant that Next fills in at build time: it also builds this file for the edge runtime, where the stores cannot go.
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { reportRequestError } = await import('#web/self-report/report-request-error.ts')
  await reportRequestError({
    error,
    method: request.method,
    routePath: context.routePath,
    routeType: context.routeType,
  })
}
