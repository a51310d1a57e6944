import { type RefObject, useRef } from 'react'
import { ConfirmDialog } from '#ui/buttons.tsx'
import type { Command } from '#ui/commands/command.ts'
import type { ChangeVerb } from './bulk-input.ts'

type Props = { id: string; verbs: ChangeVerb[] }

const labels = { delete: 'Delete', discard: 'Delete and ignore future events' } as const
type Deletion = keyof typeof labels
type Dialogs = Record<Deletion, RefObject<HTMLDialogElement | null>>

/** The dialogs, and the commands that open them. */
export function useDeletions(verbs: ChangeVerb[], prefix: string) {
  const dialogs: Dialogs = { delete: useRef(null), discard: useRef(null) }
  const allowed = (['delete', 'discard'] as const).filter(verb => verbs.includes(verb))
  return {
    dialogs,
    commands: allowed.map(
      (verb): Command => ({
        id: `${prefix}.${verb}`,
        label: labels[verb],
        kind: 'change',
        run: () => dialogs[verb].current?.showPopover(),
      }),
    ),
  }
}

/** Menu items. Their dialogs are rendered outside of the menu, because a closed menu would hide them. */
export function DeleteItems({ id, verbs }: Props) {
  return (
    <>
      {verbs.includes('delete') ? (
        <button type="button" className="danger" popoverTarget={`${id}-delete`}>
          {labels.delete}
        </button>
      ) : null}
      {verbs.includes('discard') ? (
        <button type="button" className="danger" popoverTarget={`${id}-discard`}>
          {labels.discard}
        </button>
      ) : null}
    </>
  )
}

/** `issues` names what is deleted: "3 issues", "this issue". */
export function DeleteDialogs({ id, verbs, issues, dialogs }: Props & { issues: string; dialogs: Dialogs }) {
  return (
    <>
      {verbs.includes('delete') ? (
        <ConfirmDialog
          dialog={dialogs.delete}
          id={`${id}-delete`}
          query={`Delete ${issues}?`}
          effect="Counts and activity are deleted too. The next event of the same kind creates a new issue."
          verb="Delete"
          name="change"
          value="delete"
        />
      ) : null}
      {verbs.includes('discard') ? (
        <ConfirmDialog
          dialog={dialogs.discard}
          id={`${id}-discard`}
          query={`Delete ${issues} and ignore future events?`}
          effect="Later events of the same kind are not stored. They are counted as discarded."
          verb="Delete and ignore"
          name="change"
          value="discard"
        />
      ) : null}
    </>
  )
}
