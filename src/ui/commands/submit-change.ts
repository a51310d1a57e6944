import { startTransition } from 'react'

/** Sends a form as its button with this value does: the fields, and the value as `change`. `issues` replaces the checked ones. */
export function submitChange(
  form: HTMLFormElement | null,
  change: string,
  action: (data: FormData) => void,
  issues?: readonly number[],
): void {
  if (!form) return
  const data = new FormData(form)
  data.set('change', change)
  if (issues) {
    data.delete('issue')
    for (const id of issues) data.append('issue', String(id))
  }
  startTransition(() => action(data))
}
