import { Link } from '#ui/link.tsx'
import { Section } from '#ui/page-parts.tsx'
import { SendForm } from '#ui/send/action-form.tsx'
import { type Theme, themes } from '#web/theme.ts'
import { type TimeChoice, timeChoices } from '#web/time-zone.ts'
import { chooseTheme, chooseTimes, signOut } from '../../../actions.ts'
import styles from './appearance-form.module.css'

type Props = { theme: Theme; times: TimeChoice; zone: string }

/** Theme, time zone and sign-out; narrow screens have no rail for them. */
export function AppearanceForm({ theme, times, zone }: Props) {
  return (
    <Section title="This browser" note="theme, time zone and session">
      <div className={styles.choices}>
        <Choices name="theme" label="Theme" choices={themes} current={theme} action={chooseTheme} />
        <Choices name="times" label="Times" choices={timeChoices} current={times} action={chooseTimes}>
          {zone}
        </Choices>
        <Link className="btn s" href="/account">
          Your account
        </Link>
        <SendForm action={signOut}>
          <button type="submit" className="btn s">
            Sign out
          </button>
        </SendForm>
      </div>
    </Section>
  )
}

type ChoicesProps = {
  name: string
  label: string
  choices: readonly string[]
  current: string
  action: (form: FormData) => Promise<void>
  children?: string
}

/** A form, so that it works without JavaScript. */
function Choices({ name, label, choices, current, action, children }: ChoicesProps) {
  return (
    <SendForm action={action} aria-label={label} className={styles.choice}>
      <span>{label}</span>
      <span className="seg">
        {choices.map(choice => (
          <button
            key={choice}
            type="submit"
            name={name}
            value={choice}
            aria-current={choice === current ? 'true' : undefined}
          >
            {choice}
          </button>
        ))}
      </span>
      {children ? <span className="t3">{children}</span> : null}
    </SendForm>
  )
}
