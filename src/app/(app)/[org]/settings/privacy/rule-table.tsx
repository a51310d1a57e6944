'use client'
import type { ListedRule } from '#domain/privacy/scrub-rules.ts'
import { ConfirmButton } from '#ui/buttons.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { shorten } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import { ActionToast } from '#ui/toast/toast.tsx'
import { idle } from '#web/action-state.ts'
import { removeScrubRule } from './actions.ts'

type Props = {
  rules: ListedRule[]
  projects: readonly { id: number; slug: string }[]
  organizationSlug: string
  mayWrite: { organization: boolean; project: boolean }
  now: number
}

/** The toast is rendered here, because the row of a removed rule is gone. */
export function RuleTable(props: Props) {
  const [state, remove] = useAction(removeScrubRule, idle)
  return (
    <>
      {props.rules.length === 0 ? (
        <p className="t2">
          No rules of your own. Rules remove names, customer numbers and the like from errors, traces, logs, feedback
          and replays before they are stored.
        </p>
      ) : (
        <RuleRows {...props} remove={remove} />
      )}
      <ActionToast state={state} />
    </>
  )
}

const verbs = { replace: 'replace', hash: 'hash', remove: 'remove' } as const

function RuleRows({
  rules,
  projects,
  organizationSlug,
  mayWrite,
  now,
  remove,
}: Props & { remove: (form: FormData) => void }) {
  return (
    <DataTable
      label="Scrubbing rules"
      columns={['Field', 'Pattern', 'Action', 'Applies to', 'Since', { label: 'Actions', isHidden: true }]}
    >
      {rules.map(rule => (
        <tr key={rule.id}>
          <td className="mono">
            {rule.path === '' ? <span className="t3">every field</span> : shorten(rule.path, 60)}
          </td>
          <td className="mono">
            {rule.pattern === '' ? <span className="t3">whole field</span> : shorten(rule.pattern, 60)}
          </td>
          <td className="t2">{verbs[rule.action]}</td>
          <td className="t2">{projects.find(({ id }) => id === rule.projectId)?.slug ?? 'all projects'}</td>
          <td className="t2">
            <Ago at={Math.min(rule.since, now)} now={now} />
          </td>
          <td>
            {(rule.projectId === null ? mayWrite.organization : mayWrite.project) ? (
              <ActionForm action={remove} className="row-acts">
                <input type="hidden" name="org" value={organizationSlug} />
                <input type="hidden" name="project" value={rule.projectId ?? ''} />
                <input type="hidden" name="rule" value={rule.id} />
                <ConfirmButton
                  className="btn s danger"
                  label={`Remove rule ${shorten(rule.path || rule.pattern, 60)}`}
                  query="Remove this rule?"
                  effect="New data is stored without it. What it has scrubbed can’t be brought back."
                  verb="Remove rule"
                >
                  Remove
                </ConfirmButton>
              </ActionForm>
            ) : null}
          </td>
        </tr>
      ))}
    </DataTable>
  )
}
