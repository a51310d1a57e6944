import type { Page } from 'playwright-core'

/** A node of React's tree, as far as it tells what the server drew and React has not taken over yet. */
type Fiber = {
  child: Fiber | null
  sibling: Fiber | null
  memoizedState: { isDehydrated?: boolean; dehydrated?: unknown } | null
}

/**
 * Until React has taken a page over, a click is the browser's alone and keys are nobody's. A quiet network does not tell: on a busy
 * machine the scripts are there long before they have run. React notes its root on the document, and in its tree what still waits.
 */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const mark = Object.keys(document).find(name => name.startsWith('__reactContainer$'))
    if (mark === undefined) return false
    const container = (document as unknown as Record<string, { stateNode: { current: Fiber } }>)[mark]
    const left = container ? [container.stateNode.current] : []
    for (let fiber = left.pop(); fiber !== undefined; fiber = left.pop()) {
      const { child, sibling, memoizedState: state } = fiber
      if (state?.isDehydrated || state?.dehydrated) return false
      left.push(...[child, sibling].filter(next => next !== null))
    }
    return true
  })
}
