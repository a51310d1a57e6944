import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** What to look for: everything, what another light may spoil, or what another width may. The words and names are the same in all. */
export type Look = 'all' | 'colors' | 'layout'

const contrast = 'color-contrast' // most of the time that axe takes

/**
 * What axe has against a page, one line each; `within` looks at a part of it. In its older mode axe looks at one document and tells
 * only what is wrong, which is all there is here and takes a fraction of the time.
 */
export async function findBarriers(
  page: Page,
  { within, look = 'all' }: { within?: string; look?: Look } = {},
): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
  if (look === 'colors') axe.withRules(contrast)
  if (look === 'layout') axe.disableRules(contrast)
  if (within !== undefined) axe.include(within)
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)
}
