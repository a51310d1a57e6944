'use client'
import { SubmitButton } from '#ui/buttons.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { ActionToast } from '#ui/toast/toast.tsx'
import { idle } from '#web/action-state.ts'
import { saveAddressStorage } from './actions.ts'
import styles from './privacy.module.css'

type Props = {
  organizationSlug: string
  projectId: number | null
  isStored: boolean
  /** The organization stores none, so the project has no choice. */
  isDecided: boolean
  mayWrite: boolean
}

export function AddressForm({ organizationSlug, projectId, isStored, isDecided, mayWrite }: Props) {
  const [state, action] = useAction(saveAddressStorage, idle)
  return (
    <>
      <p className="t2">
        {isDecided || !isStored
          ? 'IP addresses of users are not stored. Users without an ID, email or username are not counted.'
          : 'IP addresses of users are stored where an SDK sends them or asks for them.'}
        {isDecided ? ' This is set for all projects.' : ''}
      </p>
      {mayWrite && !isDecided ? (
        <ActionForm action={action} className={styles.switch}>
          <input type="hidden" name="org" value={organizationSlug} />
          <input type="hidden" name="project" value={projectId ?? ''} />
          <input type="hidden" name="to" value={isStored ? 'drop' : 'store'} />
          <SubmitButton look="">{isStored ? 'Store no IP addresses' : 'Store IP addresses'}</SubmitButton>
        </ActionForm>
      ) : null}
      <ActionToast state={state} />
    </>
  )
}
