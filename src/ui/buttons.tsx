'use client'
import { type MouseEvent, type ReactNode, type Ref, useId } from 'react'
import { useFormStatus } from 'react-dom'

/** A submit button. While the form is being submitted, a second click does nothing. */
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
 * Enter in a field or on a checkbox presses the form's first submit button, which is rarely the intended one in a form with several
 * buttons. This one comes first and does nothing: outside of a dialog, the method `dialog` submits nothing, even without JavaScript.
 * A disabled button would not work: on a checkbox, Chromium skips it and presses the next one.
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
  /** The consequences, in a sentence or two. */
  effect: string
  /** The label of the confirming button. */
  verb: string
  /** In a form with several buttons, name and value of the confirming one. */
  name?: string
  value?: string
  look?: 'danger' | 'primary'
  /** Choices above the buttons. */
  extra?: ReactNode
  /** For commands that open it. */
  dialog?: Ref<HTMLDialogElement>
}

/**
 * Asks for confirmation before the surrounding form is submitted. A popover works without JavaScript, and because it is a dialog, the
 * page's keyboard shortcuts are off in it. Cancel comes first, so that a held Enter does no harm.
 */
export function ConfirmDialog({ id, ...confirmation }: Confirmation & { id: string }) {
  const { query, effect, verb, name, value, look = 'danger', extra, dialog } = confirmation
  return (
    <dialog
      ref={dialog}
      id={id}
      popover="auto"
      className="ask"
      aria-labelledby={`${id}-q`}
      aria-describedby={`${id}-e`}
    >
      <h2 id={`${id}-q`}>{query}</h2>
      <p id={`${id}-e`}>{effect}</p>
      {extra}
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
  /** The accessible name, if the children are not clear enough. */
  label?: string
}

/** A button that asks for confirmation before it submits its form. */
export function ConfirmButton({ children, className, label, ...confirmation }: Props) {
  const id = useId()
  return (
    <>
      <button type="button" popoverTarget={id} className={className} aria-label={label}>
        {children}
      </button>
      <ConfirmDialog id={id} {...confirmation} />
    </>
  )
}
