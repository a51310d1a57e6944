import { Section } from '#ui/page-parts.tsx'
import { type Theme, themes } from '#web/theme.ts'
import { chooseTheme, signOut } from '../../../actions.ts'

/** Theme and sign-out for narrow screens, which have no rail. */
export function AppearanceForm({ theme }: { theme: Theme }) {
  return (
    <Section title="This browser" note="theme and session">
      <div className="browser-acts">
        <form action={chooseTheme} className="seg">
          {themes.map(name => (
            <button
              key={name}
              type="submit"
              name="theme"
              value={name}
              aria-current={name === theme ? 'true' : undefined}
            >
              {name}
            </button>
          ))}
        </form>
        <form action={signOut}>
          <button type="submit" className="btn s">
            Sign out
          </button>
        </form>
      </div>
    </Section>
  )
}
