import type { ActionState } from '#web/action-state.ts'
import type { AppSecret } from '#web/two-factor.ts'

/** Where the set-up of an authenticator app is: the password, then the QR code, then the recovery codes. */
export type AppState =
  | { kind: 'idle' }
  | { kind: 'refused'; state: ActionState }
  | { kind: 'scan'; secret: AppSecret; fault: string | null }
  | { kind: 'codes'; codes: string[] }
