'use client'
import { ChevronDown } from 'lucide-react'
import { useActionState } from 'react'
import type { SavedView } from '#domain/views/saved-views.ts'
import { NoDefaultButton } from '#ui/buttons.tsx'
import { Menu, MenuFields } from '#ui/menu.tsx'
import { ActionToast } from '#ui/toast/toast.tsx'
import { idle } from '#web/action-state.ts'
import { changeSavedView } from './actions.ts'
import styles from './views.module.css'

type Props = {
  organizationSlug: string
  list: string
  query: string
  mayShare: boolean
  isFirst: boolean
  current: (SavedView & { mayChange: boolean }) | null
  /** Views that may get the URL of the list as it is. */
  others: { id: number; name: string }[]
}

/** One form with a submit button per change, so that it works without JavaScript. */
export function ViewMenu({ organizationSlug, list, query, mayShare, isFirst, current, others }: Props) {
  const [state, action] = useActionState(changeSavedView, idle)
  const item = (change: string, label: string) => (
    <button type="submit" name="change" value={change}>
      {label}
    </button>
  )
  return (
    <form action={action} className={styles.form} noValidate>
      <NoDefaultButton />
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="list" value={list} />
      <input type="hidden" name="query" value={query} />
      {current ? <input type="hidden" name="view" value={current.id} /> : null}
      <Menu
        className={styles.button ?? ''}
        name={current ? `View ${current.name}` : 'Save view'}
        label={
          <>
            <span className={styles.word}>{current ? 'View' : 'Save view'}</span>{' '}
            <ChevronDown className="i i-s" aria-hidden="true" />
          </>
        }
      >
        {current ? (
          <>
            {current.isDefault ? item('plain', 'Open the list without it') : item('default', 'Open the list with it')}
            {current.mayChange && !isFirst ? item('earlier', 'Move to the left') : null}
            {current.mayChange && mayShare && !current.isShared ? item('share', 'Share with everybody') : null}
            {current.mayChange && current.isShared && current.isMine ? item('unshare', 'Stop sharing') : null}
            {current.mayChange ? item('delete', 'Delete') : null}
          </>
        ) : (
          <>
            <MenuFields change="save" label="Save">
              <input
                className="inp"
                name="name"
                aria-label="Name of the view"
                placeholder="Name"
                maxLength={60}
                required
              />
              {mayShare ? (
                <label className={styles.share}>
                  <input type="checkbox" className="check" name="shared" /> for everybody
                </label>
              ) : null}
            </MenuFields>
            {others.length > 0 ? (
              <MenuFields change="replace" label="Update">
                <select className="inp" name="view" aria-label="View to update">
                  {others.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </select>
              </MenuFields>
            ) : null}
          </>
        )}
      </Menu>
      <ActionToast state={state} />
    </form>
  )
}
