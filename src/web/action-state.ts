/** What a form is told after it was sent. `fields` holds a sentence for each field that has to be mended. */
export type ActionState =
  | { kind: 'idle' }
  /** `undo` is what undoChange takes, where the change can be taken back; `secret` is shown now and never again. */
  | { kind: 'done'; message: string; undo?: string; secret?: string }
  | { kind: 'failed'; message: string; fields: Record<string, string>; values: Record<string, string> }

export const idle: ActionState = { kind: 'idle' }

/** Passwords are never sent back to the page. */
export function failed(message: string, form: FormData, fields: Record<string, string> = {}): ActionState {
  const values: Record<string, string> = {}
  for (const [name, value] of form) {
    if (typeof value === 'string' && name !== 'password' && !name.startsWith('$ACTION')) values[name] = value
  }
  return { kind: 'failed', message, fields, values }
}

type Faults = { fields: Record<string, string>; values: Record<string, string> }

/** What a form draws into its fields: nothing at first, and after a failure the faults and what was typed. */
export function formFaults(state: ActionState): Faults {
  return state.kind === 'failed' ? state : { fields: {}, values: {} }
}
