'use client'
import type { ComponentProps, SubmitEvent } from 'react'
import { useNavigate } from './navigation.tsx'

type Props = Omit<ComponentProps<'form'>, 'action' | 'method'> & { action: string }

/** A form whose fields become the query of its page. Without JavaScript the browser submits it. */
export function GetForm({ action, onSubmit, ...props }: Props) {
  const navigate = useNavigate()
  function submit(event: SubmitEvent<HTMLFormElement>): void {
    onSubmit?.(event)
    event.preventDefault()
    const fields = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)])
    const [path, place] = action.split('#')
    navigate(`${path}?${new URLSearchParams(fields)}${place === undefined ? '' : `#${place}`}`)
  }
  return <form {...props} action={action} onSubmit={submit} />
}
