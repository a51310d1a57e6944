import { lostActions } from '../../e2e/lost-actions.ts'
import { playLostActions } from '../../e2e/play-lost-actions.ts'
import { isFullStorm, type LedgerRow } from '../ledger.ts'
import { countEffects } from './count-effects.ts'
import type { BrowserScene, Word } from './open-scene.ts'

/** `test/e2e/lost-requests.test.ts` has others in its short run. */
const few = ['assign on the issue page, by menu', 'project settings', 'invitation']

export async function playOffline({ hydrant, context, proxy }: BrowserScene): Promise<LedgerRow[]> {
  const counts = await playLostActions({
    ...{ hydrant, context, url: proxy.url, word: 'Offline' satisfies Word },
    actions: lostActions.filter(({ name }) => isFullStorm || few.includes(name)),
    cut: () => context.setOffline(true),
    mend: () => context.setOffline(false),
  })
  return countEffects(counts)
}
