import type { Instrumentation } from 'next'

/** Next calls this for every error that a page, action or route handler throws. */
export const onRequestError: Instrumentation.onRequestError = async (error, request, context) => {
  // Next replaces this at build time. It also builds this file for the edge runtime, which can't load the stores.
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { reportRequestError } = await import('#web/self-report/report-request-error.ts')
  await reportRequestError({
    error,
    method: request.method,
    routePath: context.routePath,
    routeType: context.routeType,
  })
}
