import type { PaletteEntry } from './palette-entry.ts'

/**
 * What the page itself can do: its form buttons that carry a change. They are pressed as they stand, so that the palette does
 * exactly what the button does.
 */
export function actionsHere(): PaletteEntry[] {
  const verbs = 'form.acts button:is([name="change"], [popovertarget]):not(dialog *)'
  const buttons = [...document.querySelectorAll<HTMLButtonElement>(verbs)]
  return buttons.map((button, index) => ({
    id: `here-${index}`,
    group: 'Here',
    label: labelOf(button),
    press: `form.acts button${whichOne(button)}:not(dialog *)`,
  }))
}

/** One that asks first is known by its dialog: the button inside of it would act at once. */
function whichOne(button: HTMLButtonElement): string {
  const dialog = button.getAttribute('popovertarget')
  return dialog === null
    ? `[name="change"][value="${CSS.escape(button.value)}"]`
    : `[popovertarget="${CSS.escape(dialog)}"]`
}

/** A button in a menu is read with the menu's name: "Archive: For a week". */
function labelOf(button: HTMLButtonElement): string {
  const summary = button.closest('details')?.querySelector('summary')
  const menu = summary?.getAttribute('aria-label') ?? summary?.textContent ?? ''
  const own = (button.getAttribute('aria-label') ?? button.firstChild?.textContent ?? '').trim()
  return menu === '' || menu === 'More actions'
    ? own
    : menu === 'More ways to resolve'
      ? `Resolve: ${own}`
      : `${menu}: ${own}`
}
