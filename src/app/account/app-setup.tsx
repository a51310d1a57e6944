'use client'
import { ConfirmButton, SubmitButton } from '#ui/buttons.tsx'
import { CheckedForm } from '#ui/checked-form.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Field } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { type ActionState, formFaults, idle } from '#web/action-state.ts'
import styles from './account.module.css'
import type { AppState } from './app-state.ts'
import { describeApp } from './describe-app.ts'
import { changeApp, stepApp } from './two-factor-actions.ts'

type Props = {
  hasApp: boolean
  hasPassword: boolean
  codesLeft: number
  /** Where to go after the recovery codes. */
  next: string
}

/**
 * Adds an authenticator app (password, QR code with the first code, recovery codes), or changes the one that is there. One component,
 * because the page learns of the app while the recovery codes are still shown.
 */
export function AppSection({ hasApp, hasPassword, codesLeft, next }: Props) {
  const [state, action] = useAction<AppState>(stepApp, { kind: 'idle' })
  if (state.kind === 'codes') return <RecoveryCodes codes={state.codes} next={next} />
  if (hasApp) return <AppControls hasPassword={hasPassword} codesLeft={codesLeft} />
  if (state.kind === 'scan') return <ScanForm state={state} action={action} />
  const { fields } = formFaults(state.kind === 'refused' ? state.state : idle)
  return (
    <CheckedForm action={action} faults={fields}>
      {hasPassword ? (
        <PasswordField error={fields.password} />
      ) : state.kind === 'refused' ? (
        <Notice kind="error">{messageOf(state.state)}</Notice>
      ) : null}
      <div className="row">
        <SubmitButton look="">Add authenticator app</SubmitButton>
      </div>
    </CheckedForm>
  )
}

/** Without a field for the password, there is no field that shows it. */
const messageOf = (state: ActionState): string => (state.kind === 'failed' ? state.message : '')

const PasswordField = ({ error }: { error: string | undefined }) => (
  <Field
    name="password"
    label="Your password"
    type="password"
    autoComplete="current-password"
    required
    error={error}
    help="To be sure that it is you."
  />
)

type ScanProps = { state: Extract<AppState, { kind: 'scan' }>; action: (form: FormData) => void }

function ScanForm({ state: { secret, fault }, action }: ScanProps) {
  const { path, size, text } = secret
  return (
    <CheckedForm action={action} faults={fault === null ? {} : { otp: fault }}>
      <p className="t2">
        Scan this with an app such as Aegis, 1Password or Google Authenticator, then enter the code that it shows.
      </p>
      <svg
        className={styles.qr}
        viewBox={`-4 -4 ${size + 8} ${size + 8}`}
        role="img"
        aria-label="QR code for your authenticator app"
        shapeRendering="crispEdges"
      >
        <rect x="-4" y="-4" width={size + 8} height={size + 8} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      <p className="t2">
        Can’t scan? Enter this key: <code className={styles.key}>{text}</code>
      </p>
      <Field
        name="otp"
        label="Code from the app"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={10}
        required
        error={fault ?? undefined}
        isFocused
      />
      <div className="row">
        <SubmitButton>Switch on</SubmitButton>
      </div>
    </CheckedForm>
  )
}

function RecoveryCodes({ codes, next }: { codes: string[]; next: string }) {
  return (
    <div className="form">
      <Notice kind="ok">Keep these recovery codes where you find them without your device. Each works once.</Notice>
      <ul className={styles.codes} aria-label="Recovery codes">
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row">
        <span className="with-script">
          <CopyButton text={codes.join('\n')} label="Copy codes" isSmall={false} />
        </span>
        {/* A full load: the form starts anew. */}
        <a className="btn primary" href={next}>
          I have saved them
        </a>
      </div>
    </div>
  )
}

/** New recovery codes, or no app any more. Both ask for the password. */
function AppControls({ hasPassword, codesLeft }: { hasPassword: boolean; codesLeft: number }) {
  const [state, action] = useAction<AppState>(changeApp, { kind: 'idle' })
  if (state.kind === 'codes') return <RecoveryCodes codes={state.codes} next="/account" />
  const { fields } = formFaults(state.kind === 'refused' ? state.state : idle)
  return (
    <CheckedForm action={action} faults={fields}>
      <p className="t2">{describeApp(codesLeft)}</p>
      {state.kind === 'refused' && !hasPassword ? <Notice kind="error">{messageOf(state.state)}</Notice> : null}
      {hasPassword ? <PasswordField error={fields.password} /> : null}
      <div className="row">
        <button type="submit" className="btn" name="change" value="codes">
          New recovery codes
        </button>
        <ConfirmButton
          className="btn danger"
          query="Remove the authenticator app?"
          effect="Then your password alone signs in. Your recovery codes stop working, and no browser is trusted any more."
          verb="Remove app"
          name="change"
          value="off"
        >
          Remove app
        </ConfirmButton>
      </div>
    </CheckedForm>
  )
}
