import { ConfirmDialog } from '#ui/buttons.tsx'
import type { ChangeVerb } from './bulk-input.ts'

type Props = { id: string; verbs: ChangeVerb[] }

/** Menu items. Their dialogs are rendered outside of the menu, because a closed menu would hide them. */
export function DeleteItems({ id, verbs }: Props) {
  return (
    <>
      {verbs.includes('delete') ? (
        <button type="button" className="danger" popoverTarget={`${id}-delete`}>
          Delete
        </button>
      ) : null}
      {verbs.includes('discard') ? (
        <button type="button" className="danger" popoverTarget={`${id}-discard`}>
          Delete and ignore future events
        </button>
      ) : null}
    </>
  )
}

/** `issues` names what is deleted: "3 issues", "this issue". */
export function DeleteDialogs({ id, verbs, issues }: Props & { issues: string }) {
  return (
    <>
      {verbs.includes('delete') ? (
        <ConfirmDialog
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
