'use client'
import { type ReactNode, useRef } from 'react'
import { useCommands } from './use-commands.ts'

type Props = { id: string; label: string; title: string; className: string; children: ReactNode }

/** A submit button whose form is also offered as a command on every page. */
export function CommandButton({ id, label, title, className, children }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  useCommands([{ id, label, kind: 'app', run: () => button.current?.form?.requestSubmit(button.current) }])
  return (
    <button ref={button} type="submit" className={className} aria-label={title} title={title}>
      {children}
    </button>
  )
}
