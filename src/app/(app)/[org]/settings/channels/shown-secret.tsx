'use client'
import { CopyButton } from '#ui/copy-button.tsx'

/** A secret that is shown once. An input, so that all of it can be selected without JavaScript. */
export function ShownSecret({ text }: { text: string }) {
  return (
    <div className="field">
      <label htmlFor="shown-secret">Signing secret</label>
      <div className="secret">
        <input id="shown-secret" className="inp mono" readOnly value={text} autoComplete="off" spellCheck={false} />
        <span className="with-script">
          <CopyButton text={text} isSmall={false} />
        </span>
      </div>
    </div>
  )
}
