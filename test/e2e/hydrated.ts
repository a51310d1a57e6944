import type { Page } from 'playwright-core'

/** The parts of a React fiber that show what is not hydrated yet. */
type Fiber = {
  child: Fiber | null
  sibling: Fiber | null
  memoizedState: { isDehydrated?: boolean; dehydrated?: unknown } | null
}

/**
 * Waits until React has hydrated the page: before that, keys have no effect. Waiting for the network is not enough, because on a busy
 * machine scripts run long after they were loaded. React marks its root on the document, and pending parts in its tree.
 */
export async function hydrated(page: Page): Promise<void> {
  const isHydrated = () => {
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
  }
  // Not with every frame: on a busy machine the question would keep the page from its answer.
  await page.waitForFunction(isHydrated, undefined, { polling: 50 })
}
