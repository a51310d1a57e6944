const maxPerPage = 10
let count = 0

/** Reports an error of our own pages to the internal project. The client is loaded at the first error. Resolves to whether it was accepted. */
export async function reportError(error: unknown): Promise<boolean> {
  const dsn = document.querySelector<HTMLMetaElement>('meta[name="hydrant-report-dsn"]')?.content
  if (!dsn || count >= maxPerPage || isAboutReporting(error)) return false
  count++
  try {
    const { sendError } = await import('./browser-client.ts')
    return await sendError(dsn, error)
  } catch {
    // The client failed or could not be loaded; reporting that would fail too.
    return false
  }
}

/** A failed report must not cause another report. */
function isAboutReporting(error: unknown): boolean {
  const text = error instanceof Error ? `${error.message} ${error.stack ?? ''}` : String(error)
  return text.includes('/tunnel/') || text.includes('browser-client')
}
