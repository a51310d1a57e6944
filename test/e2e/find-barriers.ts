import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { isLong } from '../long.ts'

/** Which rules to check: all, those that depend on the theme, or those that depend on the width. */
export type Look = 'all' | 'colors' | 'layout'
type Scope = { within?: string; look?: Look }

const contrast = 'color-contrast' // most of the time that axe takes

/**
 * The accessibility violations that axe finds, one line each; `within` checks a part of the page. axe's legacy mode checks one document
 * and reports violations only, which is enough here and much faster.
 */
export async function findBarriers(page: Page, { within, look = 'all' }: Scope = {}): Promise<string[]> {
  // Colors change over some milliseconds when the theme does.
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    return Promise.all(ending.map(({ finished }) => finished.catch(() => undefined)))
  })
  // It is half a megabyte of script: once per document is enough.
  const isThere = await page.evaluate(() => 'axe' in window)
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: ';' }) })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
  if (look === 'colors') axe.withRules(contrast)
  if (look === 'layout') axe.disableRules(contrast)
  if (within !== undefined) axe.include(within)
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)
}

/** In the middle of a walk, in the long run: `every-page.test.ts` checks the parts that pages share. */
export async function expectNoBarriersWhenLong(page: Page, scope?: Scope): Promise<void> {
  if (isLong) expect(await findBarriers(page, scope)).toEqual([])
}
