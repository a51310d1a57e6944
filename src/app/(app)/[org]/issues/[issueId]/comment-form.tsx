'use client'
import { type RefObject, useEffect, useId, useRef } from 'react'
import { SubmitButton } from '#ui/buttons.tsx'
import { keys } from '#ui/commands/keys.ts'
import { useCommands } from '#ui/commands/use-commands.ts'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { type ActionState, formFaults, idle } from '#web/action-state.ts'
import { optionId, SuggestionList } from '../../search/suggestion-list.tsx'
import { saveComment, submitComment } from './actions.ts'
import styles from './comment.module.css'
import { commentField } from './comment-field.ts'
import { useMentions } from './use-mentions.ts'

type Target = { organizationSlug: string; issueId: number }

export function CommentForm(target: Target) {
  const [state, action] = useAction(submitComment, idle)
  const field = useRef<HTMLTextAreaElement>(null)
  const write = () => focusField(field.current)
  useEffect(() => {
    if (location.hash === `#${commentField}`) focusField(field.current)
  }, [])
  useCommands([{ ...keys.comment, id: 'issue.comment', label: 'Comment', kind: 'change', run: write }])
  return <Form {...target} field={field} state={state} action={action} label="Comment" verb="Comment" />
}

function focusField(field: HTMLElement | null): void {
  field?.scrollIntoView({ block: 'center' })
  field?.focus({ preventScroll: true })
}

/** A disclosure, so that it works without JavaScript. */
export function EditComment({ commentId, text, ...target }: Target & { commentId: number; text: string }) {
  const [state, action] = useAction(saveComment, idle)
  const field = useRef<HTMLTextAreaElement>(null)
  return (
    <details className={styles.edit} open={state.kind === 'failed' || undefined}>
      <summary className="btn plain s">Edit</summary>
      <Form
        {...target}
        field={field}
        state={state}
        action={action}
        label="Edit comment"
        verb="Save"
        commentId={commentId}
        text={text}
      />
    </details>
  )
}

type FormProps = Target & {
  field: RefObject<HTMLTextAreaElement | null>
  state: ActionState
  action: (form: FormData) => void
  label: string
  verb: string
  commentId?: number
  text?: string
}

function Form({ organizationSlug, issueId, field, state, action, label, verb, commentId, text }: FormProps) {
  const { fields, values } = formFaults(state)
  const id = useId()
  const mentions = useMentions(organizationSlug, field)
  return (
    <ActionForm action={action} className="comment">
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="issue" value={issueId} />
      {commentId === undefined ? null : <input type="hidden" name="comment" value={commentId} />}
      <div className={styles.field}>
        <textarea
          ref={field}
          id={text === undefined ? commentField : undefined}
          aria-keyshortcuts={text === undefined ? keys.comment.shortcut : undefined}
          name="text"
          className="inp"
          rows={text === undefined ? 2 : 4}
          maxLength={10_000}
          required
          placeholder={text === undefined ? 'Comment, with Markdown and @mentions' : undefined}
          aria-label={label}
          defaultValue={values.text ?? text}
          aria-invalid={fields.text ? true : undefined}
          aria-autocomplete="list"
          aria-controls={mentions.isOpen ? `${id}-list` : undefined}
          aria-activedescendant={mentions.isOpen ? optionId(`${id}-list`, mentions.chosen) : undefined}
          onInput={mentions.update}
          onClick={mentions.update}
          onBlur={mentions.close}
          onKeyDown={event => {
            if (mentions.onKeyDown(event)) return
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              event.preventDefault()
              event.currentTarget.form?.requestSubmit()
            }
          }}
        />
        <SuggestionList
          id={`${id}-list`}
          suggestions={mentions.suggestions}
          isOpen={mentions.isOpen}
          chosen={mentions.chosen}
          onAccept={mentions.accept}
        />
      </div>
      <SubmitButton look="s">{verb}</SubmitButton>
      {state.kind === 'failed' ? (
        <p className="bad" role="alert">
          {state.message}
        </p>
      ) : null}
    </ActionForm>
  )
}
