import { copyAsNewBuild } from '../../copy-as-new-build.ts'
import { hydrated } from '../../e2e/hydrated.ts'
import { lostActions } from '../../e2e/lost-actions.ts'
import { countRows, fillActions, type LostCount, lostNote, playLostActions } from '../../e2e/play-lost-actions.ts'
import { startHydrant } from '../../start-hydrant.ts'
import { isFullStorm, type LedgerRow } from '../ledger.ts'
import { countEffects } from './count-effects.ts'
import type { BrowserScene, Word } from './open-scene.ts'

const few = ['comment', 'new rule']
/** A reload keeps their text as a draft. */
const forms = ['comment', 'new rule', 'new project', 'project settings', 'invitation', 'channel', 'name of the account']

/** Hydrant stops while forms are filled in, and comes back. */
export async function playRestart({ hydrant, context, proxy }: BrowserScene): Promise<LedgerRow[]> {
  const counts = await playLostActions({
    ...{ hydrant, context, url: proxy.url, word: 'Restarted' satisfies Word },
    actions: lostActions.filter(({ name }) => isFullStorm || few.includes(name)),
    cut: async () => void (await hydrant.kill('SIGTERM')),
    mend: () => hydrant.start(),
  })
  return countEffects(counts)
}

/** Hydrant stops while forms are filled in, and comes back as a build whose actions have other ids. */
export async function playNewBuild({ hydrant, context, proxy }: BrowserScene): Promise<LedgerRow[]> {
  const actions = lostActions.filter(({ name }) => forms.includes(name))
  const word: Word = 'Rebuilt'
  const tabs = await fillActions({ hydrant, context, url: proxy.url, actions, word })
  await hydrant.kill('SIGTERM')
  const build = copyAsNewBuild()
  const newer = await startHydrant({ from: build.folder, dataDir: hydrant.dataDir })
  try {
    proxy.passTo(newer.url)
    const counts: LostCount[] = []
    for (const { action, page, before } of tabs) {
      await action.send(page)
      await lostNote(page).getByText('Hydrant was updated. Reload to continue. Nothing was changed.').waitFor()
      await action.kept(page, word)
      await lostNote(page).getByRole('button', { name: 'Reload' }).click()
      await lostNote(page).waitFor({ state: 'detached' })
      await hydrated(page)
      await action.kept(page, word)
      await action.send(page)
      await action.done(page, word)
      counts.push({ action, times: countRows(hydrant, action.effects) - before })
    }
    return countEffects(counts)
  } finally {
    await newer.kill('SIGTERM')
    build.remove()
  }
}
