import { SignalButtons } from './signal-buttons.tsx'

export default function SignalsPage() {
  return (
    <>
      <h1>Signals</h1>
      <p className="quiet">What an app can tell besides its errors.</p>
      <SignalButtons />
    </>
  )
}
