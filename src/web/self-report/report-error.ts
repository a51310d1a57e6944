/** Hydrant's own pages report to the built-in project. Nothing is loaded until the first error. */
const maxPerPage = 10
let count = 0

/** Resolves to whether it was taken: pages that say so must know. */
export async function reportError(error: unknown): Promise<boolean> {
  const dsn = document.querySelector<HTMLMetaElement>('meta[name="hydrant-report-dsn"]')?.content
  if (!dsn || count >= maxPerPage || isAboutReporting(error)) return false
  count++
  try {
    const { sendError } = await import('./browser-client.ts')
    return await sendError(dsn, error)
  } catch {
    // The report's own code could not be loaded, or failed: reporting that would go the same way.
    return false
  }
}

/** A report that failed to leave must not become the next report. */
function isAboutReporting(error: unknown): boolean {
  const text = error instanceof Error ? `${error.message} ${error.stack ?? ''}` : String(error)
  return text.includes('/tunnel/') || text.includes('browser-client')
}
