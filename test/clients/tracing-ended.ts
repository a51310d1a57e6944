import type { Page } from 'playwright-core'

type Scope = { getClient(): unknown; refs: Record<string, unknown> }
type Carrier = Record<string, { stack?: { getScope(): Scope } } | undefined>

/**
 * Waits until the SDK in the page has ended its page load or navigation: a second after the last request of it, however long that
 * takes. The SDK has no event for it that a test could not miss, so this reads the active span from its scope.
 */
export async function tracingEnded(page: Page): Promise<void> {
  const isEnded = () => {
    const carrier = (window as unknown as { __SENTRY__?: Carrier & { version: string } }).__SENTRY__
    const scope = carrier?.[carrier.version]?.stack?.getScope()
    return scope?.getClient() !== undefined && !('span' in scope.refs)
  }
  // Not with every frame: drawing sixty of them keeps a core busy.
  await page.waitForFunction(isEnded, undefined, { polling: 50 })
}
