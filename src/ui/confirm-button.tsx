'use client'
import { type ReactNode, useId } from 'react'

export type Confirmation = {
  question: string
  /** What happens then, in a sentence or two. */
  effect: string
  /** The verb of the button that does it. */
  verb: string
  /** Where the form has several verbs: the pressed button is sent under this name. */
  name?: string
  value?: string
  look?: 'danger' | 'primary'
}

/**
 * Asks before the form around it is sent. A popover opens, closes and takes the focus without script; as it is a dialog, the keys of the
 * page are off in it. Cancel is first, so that a held Enter does no harm.
 */
export function ConfirmDialog({ id, ...asked }: Confirmation & { id: string }) {
  const { question, effect, verb, name, value, look = 'danger' } = asked
  return (
    <dialog id={id} popover="auto" className="ask" aria-labelledby={`${id}-q`} aria-describedby={`${id}-e`}>
      <h2 id={`${id}-q`}>{question}</h2>
      <p id={`${id}-e`}>{effect}</p>
      <div className="ask-do">
        <button type="button" className="btn" popoverTarget={id} popoverTargetAction="hide">
          Cancel
        </button>
        <button
          type="submit"
          name={name}
          value={value}
          className={`btn ${look}`}
          onClick={({ currentTarget }) => setTimeout(() => currentTarget.closest('dialog')?.hidePopover())}
        >
          {verb}
        </button>
      </div>
    </dialog>
  )
}

type Props = Confirmation & {
  children: ReactNode
  className: string
  /** Read out in place of the children, where they do not say what is meant. */
  label?: string
  /** The page's key for it. */
  hint?: string
}

/** A verb of a form that asks before it acts. */
export function ConfirmButton({ children, className, label, hint, ...confirmation }: Props) {
  const id = useId()
  return (
    <>
      <button type="button" popoverTarget={id} className={className} aria-label={label} data-key={hint}>
        {children}
      </button>
      <ConfirmDialog id={id} {...confirmation} />
    </>
  )
}
