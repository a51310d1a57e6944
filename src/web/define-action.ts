import { refresh } from 'next/cache'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import type { ZodType } from 'zod'
import type { CommandContext } from '#domain/access/command-context.ts'
import { mayDo, type Permission, permissionOf, type Verb } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import type { TurnedAway } from '#lib/submission.ts'
import { getRuntime } from '#runtime.ts'
import { type ActionState, failed, faultMessage } from './action-state.ts'
import { earlierResults } from './earlier-results.ts'
import { once } from './once.ts'
import { describeRefusal } from './refuse.ts'
import { originOf } from './request-headers.ts'
import { setResponseStatus } from './response-status.ts'
import { answered } from './turned-away.ts'
import { requireViewer } from './viewer.ts'

type Definition<Input> = {
  input: ZodType<Input>
  /** What the form does. The verb decides who may submit it: see `domain/access/permissions.ts`. */
  verb: Verb | OneOf<Input>
  /** The field that shows errors of the command. */
  faultField?: string
}
/** For a form with several buttons: all its verbs, and the verb of this input. Null if only the command knows it. */
type OneOf<Input> = { among: readonly Verb[]; chosen: (input: Input) => Verb | null }
/** `fields`: what is wrong with which field, if the command knows it. */
type CommandResult = { ok: true } | { ok: false; code: string; fields?: Record<string, string> }
type Command<Input, Result> = (context: CommandContext, input: Input, viewer: Viewer) => Promise<Result>
/** A redirect, or a message with optional undo, issues that came back, and secret. */
type After<Result> = (
  success: Extract<Result, { ok: true }>,
  viewer: Viewer,
) => { go: string } | { say: string; undo?: string; issues?: readonly number[]; secret?: string }

/**
 * A server action that runs a command: viewer, input, permission, command, result. Known error codes become form errors, unknown ones
 * are thrown. The hidden field `org` names the organization, so that the form works without JavaScript. A form that is sent again because
 * its answer was lost gets the result of the first time (once.ts).
 */
export function defineAction<Input, Result extends CommandResult>(
  definition: Definition<Input>,
  command: Command<Input, Result>,
  after: After<Result>,
) {
  async function act(previous: ActionState, form: FormData): Promise<ActionState> {
    const viewer = await requireViewer(String(form.get('org') ?? ''))
    const { verb, faultField } = definition
    // In the form, because Next's page for 403 is rendered before anything is refused and can't say why.
    const refused = async (permission: Permission): Promise<ActionState> => {
      setResponseStatus(403)
      const { title, text } = await describeRefusal(viewer, permission)
      const message = `${title}. ${text}`
      return failed(message, form, faultField ? { [faultField]: message } : {})
    }
    const among = typeof verb === 'string' ? [verb] : verb.among
    const [first] = among
    if (first !== undefined && !among.some(each => mayDo(viewer.role, each))) return refused(permissionOf(first))
    const parsed = definition.input.safeParse(fieldsOf(form))
    if (!parsed.success) return failed('Check the marked fields.', form, faultsByField(parsed.error.issues))
    const chosen = typeof verb === 'string' ? verb : verb.chosen(parsed.data)
    if (chosen !== null && !mayDo(viewer.role, chosen)) return refused(permissionOf(chosen))
    const context = await commandContext(viewer)
    const result = await once(form, context.actor, () => command(context, parsed.data, viewer))
    if (!isSuccess(result)) {
      // The command knows more than the verb, such as whom it changes. What it refuses, an owner may do.
      if (!result.ok && result.code === 'not_permitted') return refused('owner:write')
      return failedState(result, form, faultField)
    }
    const next = after(result, viewer)
    if ('go' in next) redirect(next.go)
    refresh()
    const { say, ...more } = next
    const earlier = earlierResults(previous)
    return { kind: 'done', message: say, ...more, ...(earlier.length > 0 ? { earlier } : {}) }
  }
  return (previous: ActionState, form: FormData): Promise<ActionState | TurnedAway> =>
    answered(form, () => act(previous, form))
}

/** For an action that is more than one command. */
export async function commandContext(viewer: Viewer): Promise<CommandContext> {
  const { control, clock } = getRuntime()
  return { db: control.db, actor: `user:${viewer.user.id}`, now: clock.now, origin: originOf(await headers()) }
}

function isSuccess<Result extends CommandResult>(result: Result): result is Extract<Result, { ok: true }> {
  return result.ok
}

function failedState(result: CommandResult, form: FormData, field: string | undefined): ActionState {
  const code = result.ok ? '' : result.code
  if (!result.ok && result.fields) return failed('Check the marked fields.', form, result.fields)
  const message = faultMessage(code)
  if (message === null) throw new Error(`command failed with an unknown code: ${code}`)
  return failed(message, form, field ? { [field]: message } : {})
}

/** A repeated name, such as checkboxes, becomes a list of values. */
function fieldsOf(form: FormData): Record<string, FormDataEntryValue | FormDataEntryValue[]> {
  return Object.fromEntries(
    [...new Set(form.keys())].map(name => {
      const values = form.getAll(name)
      return [name, values.length === 1 && values[0] !== undefined ? values[0] : values]
    }),
  )
}

function faultsByField(issues: { path: PropertyKey[]; message: string }[]): Record<string, string> {
  return Object.fromEntries(issues.map(issue => [String(issue.path[0] ?? ''), issue.message]))
}
