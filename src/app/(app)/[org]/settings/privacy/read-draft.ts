import { type ScrubAction, scrubActions } from '#domain/privacy/scrub-actions.ts'

/** The rule in the address, so that its preview can be linked and reloaded. */
export type Draft = {
  project: string
  path: string
  pattern: string
  action: ScrubAction
  isGiven: boolean
  wasAdded: boolean
}

export function readDraft(params: Record<string, string | string[] | undefined>): Draft {
  const text = (name: string): string => [params[name] ?? ''].flat()[0] ?? ''
  const action = scrubActions.find(each => each === text('action'))
  return {
    project: text('project'),
    path: text('path').trim(),
    pattern: text('pattern'),
    action: action ?? 'replace',
    isGiven: action !== undefined,
    wasAdded: text('added') === '1',
  }
}
