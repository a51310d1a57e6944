import type { ReactNode } from 'react'
import { Link } from '#ui/link.tsx'
import styles from '../alerts.module.css'
import { DurationOptions } from './duration-options.tsx'
import type { EditorChoices, RuleValues } from './editor-state.ts'
import { RuleFault as Fault } from './rule-fault.tsx'
import { RuleKindFields } from './rule-kind-fields.tsx'

type Props = {
  values: RuleValues
  faults: Record<string, string>
  choices: EditorChoices
  organizationSlug: string
}

const intervals = [
  [0, 'every time'],
  [5, '5 minutes'],
  [15, '15 minutes'],
  [30, '30 minutes'],
  [60, '1 hour'],
  [360, '6 hours'],
  [1_440, '1 day'],
  [10_080, '1 week'],
] as const

export function RuleFields({ values, faults, choices, organizationSlug }: Props) {
  const text = (name: string): string => (typeof values[name] === 'string' ? values[name] : '')
  const has = (name: string, value: string): boolean => (values[name] ?? []).includes(value)
  const input = (name: string, look = '') => ({
    name,
    defaultValue: text(name),
    className: `${styles.input} ${look}`,
    'aria-invalid': faults[name] ? true : undefined,
    'aria-describedby': faults[name] ? `${name}-fault` : undefined,
  })
  return (
    <>
      <Part name="Name">
        <input {...input('name', styles.wide)} aria-label="Name" maxLength={100} autoComplete="off" />
        <Fault name="name" faults={faults} />
      </Part>
      <Part name="When">
        <RuleKindFields {...{ values, faults, input, text, has }} presets={choices.presets} />
      </Part>
      <Part name="Only if">
        <div className={styles.line}>
          <label htmlFor="rule-project">Project</label>
          <select {...input('project')} id="rule-project">
            <option value="">all projects</option>
            {choices.projects.map(({ id, slug }) => (
              <option key={id} value={id}>
                {slug}
              </option>
            ))}
          </select>
          <label htmlFor="rule-environments">Environments</label>
          <input {...input('environments')} id="rule-environments" placeholder="all" />
        </div>
        <input
          {...input('filter', `${styles.wide} mono`)}
          aria-label="Filter"
          placeholder="level:error release:latest browser.name:Chrome"
          spellCheck={false}
        />
        <span className="t3">A search, as in the list of issues. Empty for all.</span>
        <Fault name="project" faults={faults} />
        <Fault name="filter" faults={faults} />
        <Fault name="environments" faults={faults} />
      </Part>
      <Part name="Then">
        {choices.channels.map(({ id, name, kind, state }) => (
          <label key={id} className={styles.check}>
            <input
              className="check"
              type="checkbox"
              name="channel"
              value={id}
              defaultChecked={has('channel', String(id))}
            />
            <span>
              {name} <span className="t3">{state === 'active' ? kind : `${kind}, ${state}`}</span>
            </span>
          </label>
        ))}
        {choices.channels.length === 0 ? (
          <p className="t2">
            There is no channel yet. <Link href={`/${organizationSlug}/settings/channels`}>Add a channel</Link>, then
            choose it here.
          </p>
        ) : null}
        {choices.channels.some(({ kind }) => kind === 'email') ? (
          <label className={styles.check}>
            <input
              className="check"
              type="checkbox"
              name="followsSettings"
              defaultChecked={values.followsSettings === 'on'}
            />
            Email only members who want to hear of it
          </label>
        ) : null}
        <Fault name="channel" faults={faults} />
      </Part>
      <Part name="Noise">
        <div className={styles.line}>
          <label htmlFor="rule-every">At most one message per</label>
          <select {...input('everyMinutes')} id="rule-every">
            <DurationOptions choices={intervals} present={text('everyMinutes')} />
          </select>
          per issue
        </div>
        <div className={styles.line}>
          Hold from
          <input {...input('quietFrom')} type="time" aria-label="Quiet from" />
          to
          <input {...input('quietTo')} type="time" aria-label="Quiet to" />
          <input {...input('quietZone')} aria-label="Time zone" spellCheck={false} />
          <span className="t3">critical still goes out</span>
        </div>
        <Fault name="quietZone" faults={faults} />
        <span className="t3">Messages that follow each other within a minute arrive as one.</span>
      </Part>
      <Part name="Owner">
        <div className={styles.line}>
          <select {...input('owner')} aria-label="Owner">
            <option value="">nobody</option>
            {choices.members.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <span className="t3">is notified if a channel stops working</span>
        </div>
        <label className={styles.check}>
          <input className="check" type="checkbox" name="isOn" defaultChecked={values.isOn === 'on'} />
          The rule is on
        </label>
      </Part>
    </>
  )
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <fieldset className={styles.part}>
      <legend>{name}</legend>
      <div>{children}</div>
    </fieldset>
  )
}
