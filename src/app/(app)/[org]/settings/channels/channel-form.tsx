'use client'
import type { ChannelField } from '#domain/channels/kinds/kind.ts'
import { SubmitButton } from '#ui/buttons.tsx'
import { CheckedForm } from '#ui/checked-form.tsx'
import { Field } from '#ui/field.tsx'
import { Notice } from '#ui/notice.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { formFaults, idle } from '#web/action-state.ts'
import { saveChannel, submitChannel } from './actions.ts'
import { SettingInput } from './setting-input.tsx'
import { ShownSecret } from './shown-secret.tsx'

type Props = {
  organizationSlug: string
  kind: { id: string; label: string; fields: readonly ChannelField[] }
  projects: readonly { id: number; slug: string }[]
  /** Of a channel that exists. */
  channel?: { id: number; name: string; projectId: number | null; settings: Readonly<Record<string, string>> }
}

/** Creates or changes a channel. Secrets stay as they are unless they are entered again. */
export function ChannelForm({ organizationSlug, kind, projects, channel }: Props) {
  const [state, action] = useAction(channel === undefined ? submitChannel : saveChannel, idle)
  const { fields: faults, values } = formFaults(state)
  return (
    <div className="form wide">
      {state.kind === 'idle' ? null : <Notice kind={state.kind === 'done' ? 'ok' : 'error'}>{state.message}</Notice>}
      {state.kind === 'done' && state.secret ? <ShownSecret text={state.secret} /> : null}
      <CheckedForm action={action} faults={faults}>
        <input type="hidden" name="org" value={organizationSlug} />
        <input type="hidden" name="kind" value={kind.id} />
        {channel === undefined ? null : <input type="hidden" name="channel" value={channel.id} />}
        <Field
          name="name"
          label="Name"
          required
          maxLength={80}
          placeholder="#incidents"
          error={faults.name}
          defaultValue={values.name ?? channel?.name}
          help="Shown in rules and in the log."
        />
        {kind.fields.map(field => (
          <SettingInput
            key={field.name}
            field={field}
            isStored={channel !== undefined}
            given={values}
            stored={channel?.settings[field.name]}
            faults={faults}
          />
        ))}
        <div className="field">
          <label htmlFor="project">Project</label>
          <select id="project" name="project" className="inp" defaultValue={values.project ?? channel?.projectId ?? ''}>
            <option value="">All projects</option>
            {projects.map(({ id, slug }) => (
              <option key={id} value={id}>
                {slug}
              </option>
            ))}
          </select>
        </div>
        <div className="row">
          <SubmitButton>{channel === undefined ? 'Create channel' : 'Save channel'}</SubmitButton>
        </div>
      </CheckedForm>
    </div>
  )
}
