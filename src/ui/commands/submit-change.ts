import { startTransition } from 'react'

/** Sends a form as its button with this value does: the fields, and the value as `change`. */
export function submitChange(form: HTMLFormElement | null, change: string, action: (data: FormData) => void): void {
  if (!form) return
  const data = new FormData(form)
  data.set('change', change)
  startTransition(() => action(data))
}
