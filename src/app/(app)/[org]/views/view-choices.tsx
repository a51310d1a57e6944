import type { SavedView } from '#domain/views/saved-views.ts'
import { MenuFields } from '#ui/menu.tsx'
import { ViewMenu } from './view-menu.tsx'
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

/** What can be done with the view that is shown, or a new one. */
export function ViewChoices({ organizationSlug, list, query, mayShare, isFirst, current, others }: Props) {
  const item = (change: string, label: string) => (
    <button type="submit" name="change" value={change}>
      {label}
    </button>
  )
  return (
    <ViewMenu name={current ? `View ${current.name}` : 'Save view'} word={current ? 'View' : 'Save view'}>
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="list" value={list} />
      <input type="hidden" name="query" value={query} />
      {current ? (
        <>
          <input type="hidden" name="view" value={current.id} />
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
    </ViewMenu>
  )
}
