'use client'
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'

const doneMs = 2_000

/** Copies to the clipboard. Without the clipboard API (plain http, old browsers) it copies from a hidden field. */
export function CopyButton({
  text,
  label = 'Copy',
  isSmall = true,
}: {
  /** A function is called at the time of copying. */
  text: string | (() => string)
  label?: string
  isSmall?: boolean
}) {
  const [isCopied, setCopied] = useState(false)
  async function copy() {
    if (!(await writeClipboard(typeof text === 'string' ? text : text()))) return
    setCopied(true)
    setTimeout(() => setCopied(false), doneMs)
  }
  return (
    <button type="button" className={isSmall ? 'btn s' : 'btn'} onClick={copy}>
      {isCopied ? <Check className="i" aria-hidden="true" /> : <Copy className="i" aria-hidden="true" />}
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </button>
  )
}

async function writeClipboard(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => writeThroughField(text),
    )
  }
  return writeThroughField(text)
}

function writeThroughField(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.setAttribute('readonly', '')
  field.className = 'sr'
  document.body.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  return isDone
}

/** Copies the current URL with its filter and hash. */
export function CopyLink() {
  return (
    <span className="with-script">
      <CopyButton text={() => window.location.href} label="Copy link" />
    </span>
  )
}
