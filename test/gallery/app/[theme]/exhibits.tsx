'use client'
import { useEffect } from 'react'
import { answerFetches } from '../../answers.ts'
import { forceStates } from '../../forced.tsx'
import { rooms } from '../../rooms.ts'
import { shareKeys } from '../../share-keys.ts'
import { Stage } from '../../stage.tsx'
import { anchorOf } from '../../states.tsx'
import styles from './exhibits.module.css'

if (typeof window !== 'undefined') {
  answerFetches()
  shareKeys()
  // A modal dialog would cover the page, and only one could be looked at.
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true
  }
}

/** Every component in every state, in one theme. */
export function Exhibits() {
  useEffect(() => {
    forceStates()
    // Fields that take the focus when they appear would scroll the page.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    window.scrollTo(0, 0)
  }, [])
  return (
    <main
      className={styles.rooms}
      onClickCapture={event => {
        if (event.target instanceof Element && event.target.closest('a')) event.preventDefault()
      }}
      onSubmit={event => {
        if (leavesPage(event.target)) event.preventDefault()
      }}
    >
      {rooms.map(room => (
        <section key={room.folder}>
          <h1>{room.folder}</h1>
          {room.exhibits.map(exhibit => (
            <section key={exhibit.name} id={anchorOf(room, exhibit)} data-exhibit="" className={styles.exhibit}>
              <h2>{exhibit.name}</h2>
              <div className={styles[exhibit.look]}>
                {Object.entries(exhibit.states).map(([name, state]) => (
                  <figure key={name} data-state={name}>
                    <figcaption>{name}</figcaption>
                    <div className={styles.state}>
                      <Stage>{state}</Stage>
                    </div>
                  </figure>
                ))}
              </div>
            </section>
          ))}
        </section>
      ))}
    </main>
  )
}

/** Dialogs only close, and React answers forms whose action is a function. */
const leavesPage = (form: EventTarget): boolean =>
  form instanceof HTMLFormElement && form.method !== 'dialog' && !form.getAttribute('action')?.startsWith('javascript:')
