'use client'
import { SubmitButton } from '#ui/buttons.tsx'
import { CheckedForm } from '#ui/checked-form.tsx'
import { Field } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { formFaults, idle } from '#web/action-state.ts'
import { submitSetup } from './actions.ts'

/** In the order of the form. */
const names = ['code', 'name', 'email', 'password', 'organization', 'project'] as const

/** `code` comes from the link in the terminal. Without it, the user types it. */
export function SetupForm({ code }: { code: string }) {
  const [state, action] = useAction(submitSetup, idle)
  const { fields, values } = formFaults(state)
  const isCodeAsked = code === '' || fields.code !== undefined
  const first = names.find(name => fields[name] !== undefined) ?? (isCodeAsked ? 'code' : 'name')
  const field = (name: (typeof names)[number]) => ({
    name,
    error: fields[name],
    defaultValue: values[name],
    isFocused: name === first,
  })
  return (
    <CheckedForm action={action} faults={fields}>
      {state.kind === 'failed' && Object.keys(fields).length === 0 ? (
        <Notice kind="error">{state.message}</Notice>
      ) : null}
      {isCodeAsked ? (
        <Field
          {...field('code')}
          label="Setup code"
          required
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          help="Hydrant prints it to the terminal or log when it starts."
        />
      ) : (
        <input type="hidden" name="code" value={code} />
      )}
      <fieldset>
        <legend>Owner account</legend>
        <Field {...field('name')} label="Name" autoComplete="name" maxLength={100} />
        <Field {...field('email')} label="Email" type="email" autoComplete="username" required maxLength={254} />
        <Field
          {...field('password')}
          label="Password"
          type="password"
          autoComplete="new-password"
          required
          minLength={8}
          maxLength={128}
          help="At least 8 characters."
        />
      </fieldset>
      <fieldset>
        <legend>Organization and first project</legend>
        <Field
          {...field('organization')}
          label="Organization"
          required
          maxLength={100}
          help="Its name is part of every URL: Acme becomes /acme."
        />
        <Field
          {...field('project')}
          label="Project"
          required
          maxLength={100}
          defaultValue={values.project ?? 'web'}
          help="One app, such as web or api. You can add more later."
        />
      </fieldset>
      <SubmitButton>Create and continue</SubmitButton>
    </CheckedForm>
  )
}
