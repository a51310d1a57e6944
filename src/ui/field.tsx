import type { InputHTMLAttributes } from 'react'
import { Level } from './level.tsx'

type FieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'className'> & {
  name: string
  label: string
  help?: string | undefined
  error?: string | undefined
  /** Focused when the page opens: the first field of a page that is only a form, or the first that is wrong. */
  isFocused?: boolean
}

/** A labeled input with help or an error, which screen readers announce with the field. */
export function Field({ name, label, help, error, isFocused = false, ...input }: FieldProps) {
  const noteId = `${name}-note`
  return (
    <div className={error ? 'field err' : 'field'}>
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        name={name}
        className="inp"
        aria-invalid={error ? true : undefined}
        aria-describedby={error || help ? noteId : undefined}
        // biome-ignore lint/a11y/noAutofocus: the page has no other purpose than this form
        autoFocus={isFocused}
        {...input}
      />
      {error ? (
        <p className="help" id={noteId} role="alert">
          <Level level="error" />
          {error}
        </p>
      ) : help ? (
        <p className="help" id={noteId}>
          {help}
        </p>
      ) : null}
    </div>
  )
}
