'use client'
import type { ReactNode } from 'react'
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
