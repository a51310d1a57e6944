'use client'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { NoDefaultButton } from '#ui/buttons.tsx'
import { Menu } from '#ui/menu.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { ActionToast } from '#ui/toast/toast.tsx'
import { idle } from '#web/action-state.ts'
import { changeSavedView } from './actions.ts'
import styles from './views.module.css'

/** One form with a submit button per change, so that it works without JavaScript. The server draws what is in it. */
export function ViewMenu({ name, word, children }: { name: string; word: string; children: ReactNode }) {
  const [state, action] = useAction(changeSavedView, idle)
  return (
    <ActionForm action={action} className={styles.form} noValidate>
      <NoDefaultButton />
      <Menu
        className={styles.button ?? ''}
        name={name}
        label={
          <>
            <span className={styles.word}>{word}</span> <ChevronDown className="i i-s" aria-hidden="true" />
          </>
        }
      >
        {children}
      </Menu>
      <ActionToast state={state} />
    </ActionForm>
  )
}
