'use client'
import { type MouseEvent, type ReactNode, useId } from 'react'
import { useFormStatus } from 'react-dom'

/** A form's verb. While the form is under way a second press does nothing. */
export function SubmitButton({
  children,
  look = 'primary',
}: {
  children: ReactNode
  look?: 'primary' | 'plain s' | 's' | 's danger' | ''
}) {
  const { pending } = useFormStatus()
  return (
    <button
      type="submit"
      className={`btn ${look}`}
      aria-disabled={pending}
      aria-busy={pending}
      onClick={pending ? event => event.preventDefault() : undefined}
    >
      {children}
    </button>
  )
}

/**
 * Enter in a field or on a checkbox presses the form's first submit button. In a form with several verbs that is rarely the one that was
 * meant, so this stands first and does nothing: outside of a dialog the method `dialog` sends nothing, also without script. A disabled
 * button would not do: on a checkbox, Chromium passes it over and presses the next.
 */
export function NoDefaultButton() {
  return (
    <button
      type="submit"
      formMethod="dialog"
      formNoValidate
      hidden
      onClick={(event: MouseEvent) => event.preventDefault()}
    />
  )
}

type Confirmation = {
  query: string
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
  const { query, effect, verb, name, value, look = 'danger' } = asked
  return (
    <dialog id={id} popover="auto" className="ask" aria-labelledby={`${id}-q`} aria-describedby={`${id}-e`}>
      <h2 id={`${id}-q`}>{query}</h2>
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
