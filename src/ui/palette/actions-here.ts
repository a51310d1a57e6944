import type { PaletteEntry } from './palette-entry.ts'

/**
 * What the page itself can do: its form buttons that carry a change. They are pressed as they stand, so that the palette does
 * exactly what the button does.
 */
export function actionsHere(): PaletteEntry[] {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>('form.acts button[name="change"]')]
  return buttons.map((button, index) => ({
    id: `here-${index}`,
    group: 'Here',
    label: labelOf(button),
    press: `form.acts button[name="change"][value="${CSS.escape(button.value)}"]`,
  }))
}

/** A button in a menu is read with the menu's name: "Archive: For a week". */
function labelOf(button: HTMLButtonElement): string {
  const summary = button.closest('details')?.querySelector('summary')
  const menu = summary?.getAttribute('aria-label') ?? summary?.textContent ?? ''
  const own = (button.firstChild?.textContent ?? '').trim()
  return menu === '' || menu === 'More actions'
    ? own
    : menu === 'More ways to resolve'
      ? `Resolve: ${own}`
      : `${menu}: ${own}`
}
