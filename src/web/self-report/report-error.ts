/** Hydrant's own pages report to the built-in project. Nothing is loaded until the first error. */
const maxPerPage = 10
let count = 0

export function reportError(error: unknown): void {
  const dsn = document.querySelector<HTMLMetaElement>('meta[name="hydrant-report-dsn"]')?.content
  if (!dsn || count >= maxPerPage || isAboutReporting(error)) return
  count++
  import('./browser-client.ts').then(
    ({ sendError }) => sendError(dsn, error),
    // The report's own code could not be loaded: reporting that would go the same way.
    () => {},
  )
}

/** A report that failed to leave must not become the next report. */
function isAboutReporting(error: unknown): boolean {
  const text = error instanceof Error ? `${error.message} ${error.stack ?? ''}` : String(error)
  return text.includes('/tunnel/') || text.includes('browser-client')
}
