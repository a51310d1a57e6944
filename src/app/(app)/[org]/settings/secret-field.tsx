import { useId } from 'react'
import { CopyButton } from '#ui/copy-button.tsx'

/** A text that is shown for copying. An input, so that all of it can be selected without JavaScript. */
export function SecretField({ label, text }: { label: string; text: string }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="secret">
        <input id={id} className="inp mono" readOnly value={text} autoComplete="off" spellCheck={false} />
        <span className="with-script">
          <CopyButton text={text} isSmall={false} />
        </span>
      </div>
    </div>
  )
}
