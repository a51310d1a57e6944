'use client'
import type { MouseEvent } from 'react'

/**
 * Enter in a field or on a checkbox presses the form's first submit button. In a form with several verbs that is rarely the one that was
 * meant, so this stands first and does nothing: outside of a dialog the method `dialog` sends nothing, also without script. A disabled
 * button would not do: on a checkbox, Chromium passes it over and presses the next.
 */
export function NoDefaultButton() {
  return (
    <button
      type="submit"
      formMethod="dialog"
      formNoValidate
      hidden
      onClick={(event: MouseEvent) => event.preventDefault()}
    />
  )
}
