import { refresh } from 'next/cache'
import type { ZodType } from 'zod'
import type { CommandContext } from '#domain/access/command-context.ts'
import type { TurnedAway } from '#lib/submission.ts'
import { type ActionState, failed, faultMessage } from './action-state.ts'
import { once } from './once.ts'
import { answered } from './turned-away.ts'
import { requireSignedIn, type SignedIn } from './viewer.ts'
import { webContext } from './web-context.ts'

type CommandResult = { ok: true } | { ok: false; code: string }
type Definition<Input> = {
  input: ZodType<Input>
  /** The field that shows an error of the command. */
  faultField?: string | ((code: string) => string)
}

/** A server action on the account of whoever is signed in: the account, input, command, result. It needs no role. */
export function defineAccountAction<Input, Result extends CommandResult>(
  { input, faultField }: Definition<Input>,
  command: (context: CommandContext, input: Input, user: SignedIn) => Promise<Result>,
  say: (success: Extract<Result, { ok: true }>) => string,
) {
  async function act(form: FormData): Promise<ActionState> {
    const user = await requireSignedIn()
    const parsed = input.safeParse(Object.fromEntries(form))
    if (!parsed.success) {
      const faults = parsed.error.issues.map(({ path, message }) => [String(path[0] ?? ''), message])
      return failed('Check the marked fields.', form, Object.fromEntries(faults))
    }
    const context = webContext(`user:${user.id}`)
    const result = await once(form, context.actor, () => command(context, parsed.data, user))
    if (!isSuccess(result)) {
      const { code } = result as Extract<CommandResult, { ok: false }>
      const message = faultMessage(code)
      if (message === null) throw new Error(`command failed with an unknown code: ${code}`)
      const field = typeof faultField === 'function' ? faultField(code) : faultField
      return failed(message, form, field === undefined ? {} : { [field]: message })
    }
    refresh()
    return { kind: 'done', message: say(result) }
  }
  return (_previous: ActionState, form: FormData): Promise<ActionState | TurnedAway> => answered(form, () => act(form))
}

const isSuccess = <Result extends CommandResult>(result: Result): result is Extract<Result, { ok: true }> => result.ok
