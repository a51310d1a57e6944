/** Where an SDK with this DSN posts its envelopes, and on which port. */
export function envelopeTarget(dsn: string): { port: number; path: string } {
  const url = new URL(dsn)
  return { port: Number(url.port), path: `/api${url.pathname}/envelope/?sentry_version=7&sentry_key=${url.username}` }
}
