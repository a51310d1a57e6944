'use client'
import { type ReactNode, useEffect, useRef } from 'react'
import { ActionForm } from '#ui/send/action-form.tsx'

type Props = {
  action: (form: FormData) => void
  /** Error messages by field, after a submit. */
  faults: Readonly<Record<string, string>>
  children: ReactNode
}

/**
 * A form that the server checks: errors are in our words beside their fields, not in bubbles of the browser, with and without script.
 * After a failed submit the first faulty field has the focus; without script, the field's own `autoFocus` does that.
 */
export function CheckedForm({ action, faults, children }: Props) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (Object.keys(faults).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [faults])
  return (
    <ActionForm ref={form} action={action} className="form" noValidate>
      {children}
    </ActionForm>
  )
}
