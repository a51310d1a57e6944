'use client'
import { CopyButton } from './copy-button.tsx'

/** The address of the page as it is now, with its filter and its mark. */
export function CopyLink() {
  return (
    <span className="with-script">
      <CopyButton text={() => window.location.href} label="Copy link" />
    </span>
  )
}
