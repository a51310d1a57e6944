import { Monitor, Moon, Sun } from 'lucide-react'
import { type Theme, themes } from '#web/theme.ts'
import { chooseTheme } from '../../actions.ts'

const icons = { system: Monitor, light: Sun, dark: Moon }

/** Goes round system, light, dark. A form, so that it works without script. */
export function ThemeButton({ theme }: { theme: Theme }) {
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  const Icon = icons[theme]
  const label = `Colours: ${theme}. Switch to ${next}`
  return (
    <form action={chooseTheme}>
      <input type="hidden" name="theme" value={next} />
      <button type="submit" className="icon-btn" aria-label={label} title={label}>
        <Icon className="i" aria-hidden="true" />
      </button>
    </form>
  )
}
