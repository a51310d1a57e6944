import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/**
 * What axe has against a page, one line each; `within` looks at a part of it. In its older mode axe looks at one document and tells
 * only what is wrong, which is all there is here and takes a fraction of the time.
 */
export async function findBarriers(page: Page, within?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
  const { violations } = await (within === undefined ? axe : axe.include(within)).analyze()
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)
}
