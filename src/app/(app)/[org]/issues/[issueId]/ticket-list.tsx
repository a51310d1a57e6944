'use client'
import { X } from 'lucide-react'
import { SubmitButton } from '#ui/buttons.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { shorten, showHidden } from '#ui/shorten.ts'
import { ActionToast } from '#ui/toast/toast.tsx'
import { formFaults, idle } from '#web/action-state.ts'
import { removeTicket, submitTicket } from './actions.ts'
import styles from './ticket-list.module.css'

type Ticket = { id: number; url: string; title: string }
type Target = { organizationSlug: string; issueId: number }

export function TicketList({ tickets, mayLink, ...target }: Target & { tickets: Ticket[]; mayLink: boolean }) {
  const [removed, remove] = useAction(removeTicket, idle)
  return (
    <section id="tickets" className={styles.tickets}>
      <h3>Tickets</h3>
      {tickets.length > 0 ? (
        <ActionForm action={remove}>
          <TargetFields {...target} />
          <ul>
            {tickets.map(({ id, url, title }) => (
              <li key={id}>
                <a className="link cut" href={url} title={url} rel="nofollow noopener noreferrer">
                  {showHidden(title || nameOf(url))}
                </a>
                {mayLink ? (
                  <button type="submit" name="ticket" value={id} className="icon-btn" title="Unlink">
                    <X className="i i-s" aria-hidden="true" />
                    <span className="sr">Unlink {shorten(title || nameOf(url), 80)}</span>
                  </button>
                ) : null}
              </li>
            ))}
          </ul>
        </ActionForm>
      ) : null}
      {/* A linked ticket closes the form. */}
      {mayLink ? <LinkForm key={tickets.length} {...target} /> : null}
      <ActionToast state={removed} />
    </section>
  )
}

function LinkForm(target: Target) {
  const [state, action] = useAction(submitTicket, idle)
  const { values, fields } = formFaults(state)
  return (
    <details open={state.kind === 'failed' || undefined}>
      <summary className="btn plain s">Link a ticket</summary>
      <ActionForm action={action} className={styles.form}>
        <TargetFields {...target} />
        <input
          className="inp"
          type="url"
          name="url"
          required
          maxLength={2_000}
          placeholder="https://"
          aria-label="Ticket URL"
          defaultValue={values.url}
          aria-invalid={fields.url ? true : undefined}
        />
        <input
          className="inp"
          name="title"
          maxLength={200}
          placeholder="Title (optional)"
          aria-label="Ticket title"
          defaultValue={values.title}
        />
        <SubmitButton look="s">Link</SubmitButton>
        {state.kind === 'failed' ? (
          <p className="bad" role="alert">
            {state.message}
          </p>
        ) : null}
      </ActionForm>
    </details>
  )
}

const TargetFields = ({ organizationSlug, issueId }: Target) => (
  <>
    <input type="hidden" name="org" value={organizationSlug} />
    <input type="hidden" name="issue" value={issueId} />
  </>
)

const nameOf = (url: string): string => url.replace(/^https?:\/\//, '')
