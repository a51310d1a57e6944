'use client'
/** Keeps the text of a form whose request was lost until it is sent, even if the tab reloads. Never stores secrets. */

type Draft = { name: string; values: readonly string[] }[]
const prefix = 'hydrant-draft:'

/** The first word of the fields that are never stored, besides those of type `password`. */
const secretNames = /^(?:password|current|next-password|otp|code|secret)\b/

/** The keys of drafts, which a form that has left its page can't tell any more. */
const saved = new WeakMap<HTMLFormElement, string>()

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export function saveDraft(form: HTMLFormElement): void {
  const fields = draftFields(form)
  if (fields.length === 0) return
  const names = [...new Set(fields.map(({ name }) => name))]
  const draft: Draft = names.map(name => ({
    name,
    values: fields.filter(field => field.name === name).flatMap(valuesOf),
  }))
  const key = keyOf(form)
  saved.set(form, key)
  try {
    sessionStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // Full or forbidden: the draft is still on the page.
  }
}

export function dropDraft(form: HTMLFormElement): void {
  try {
    sessionStorage.removeItem(saved.get(form) ?? keyOf(form))
  } catch {
    // Storage is forbidden, so nothing was saved.
  }
}

/** The forms on the page. */
const shown = new Set<HTMLFormElement>()

/** Before a reload: of every form that was changed. */
export function saveDrafts(): void {
  for (const form of shown) if (draftFields(form).some(isChanged)) saveDraft(form)
}

function isChanged(field: Field): boolean {
  if (isChoice(field)) return field.checked !== field.defaultChecked
  if (field instanceof HTMLSelectElement)
    return [...field.options].some(option => option.selected !== option.defaultSelected)
  return field.value !== field.defaultValue
}

/** Brings back its draft, and keeps the next one. Gives a function for when the form leaves the page. */
export function keepDraft(form: HTMLFormElement): () => void {
  restoreDraft(form)
  shown.add(form)
  return () => shown.delete(form)
}

/** Fills the form as it was, and tells its components, which may follow their fields. */
function restoreDraft(form: HTMLFormElement): void {
  const draft = readDraft(keyOf(form))
  if (draft === null) return
  for (const { name, values } of draft) {
    const fields = draftFields(form).filter(field => field.name === name)
    for (const [index, field] of fields.entries()) fill(field, values, index)
  }
}

function readDraft(key: string): Draft | null {
  try {
    const text = sessionStorage.getItem(key)
    return text === null ? null : (JSON.parse(text) as Draft)
  } catch {
    return null
  }
}

const isChoice = (field: Field): field is HTMLInputElement => field.type === 'checkbox' || field.type === 'radio'

function valuesOf(field: Field): string[] {
  if (isChoice(field)) return field.checked ? [field.value] : []
  if (field instanceof HTMLSelectElement) return [...field.selectedOptions].map(({ value }) => value)
  return [field.value]
}

function fill(field: Field, values: readonly string[], index: number): void {
  if (isChoice(field)) {
    if (field.checked !== values.includes(field.value)) field.click()
    return
  }
  if (field instanceof HTMLSelectElement && field.multiple) {
    for (const option of field.options) option.selected = values.includes(option.value)
  } else {
    const value = values[index] ?? ''
    if (field.value === value) return
    // Past React, which otherwise takes the event for its own doing.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
  }
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

function draftFields(form: HTMLFormElement): Field[] {
  return [...form.elements].filter((element): element is Field => {
    if (
      !(
        element instanceof HTMLInputElement ||
        element instanceof HTMLTextAreaElement ||
        element instanceof HTMLSelectElement
      )
    )
      return false
    if (element.name === '' || ['hidden', 'password', 'file', 'submit', 'button'].includes(element.type)) return false
    return !secretNames.test(element.name) && element.autocomplete !== 'one-time-code'
  })
}

/** The page, and which of its forms: the hidden fields name the object, and the others the kind of form. */
function keyOf(form: HTMLFormElement): string {
  const hidden = [...form.querySelectorAll<HTMLInputElement>('input[type=hidden]')]
    .filter(({ name }) => !name.startsWith('$ACTION'))
    .map(({ name, value }) => `${name}=${value}`)
  const names = new Set(draftFields(form).map(({ name }) => name))
  return `${prefix}${location.pathname}:${hidden.join('&')}:${[...names].join()}`
}
