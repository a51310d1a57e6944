'use client'
import { SubmitButton } from '#ui/buttons.tsx'
import { Notice } from '#ui/notice.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { submitRule } from '../actions.ts'
import styles from '../alerts.module.css'
import { type EditorChoices, newEditor, type RuleValues } from './editor-state.ts'
import { RuleFields } from './rule-fields.tsx'
import { RulePreviewPanel } from './rule-preview.tsx'

type Props = {
  organizationSlug: string
  ruleId: number | null
  values: RuleValues
  choices: EditorChoices
  sentence: string | null
  mayWrite: boolean
}

export function RuleEditor({ organizationSlug, ruleId, values, choices, sentence, mayWrite }: Props) {
  const [state, submit] = useAction(submitRule, newEditor)
  return (
    <ActionForm action={submit} className={styles.editor} noValidate>
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="rule" value={ruleId ?? ''} />
      <div className={styles.fields}>
        {state.message === '' ? null : <Notice kind="error">{state.message}</Notice>}
        <fieldset disabled={!mayWrite} style={{ display: 'contents' }}>
          <RuleFields
            key={state.version}
            values={state.values ?? values}
            faults={state.faults}
            choices={choices}
            organizationSlug={organizationSlug}
          />
        </fieldset>
        {mayWrite ? (
          <div className={styles.line}>
            <SubmitButton>Save rule</SubmitButton>
            <button type="submit" className="btn" name="do" value="preview">
              Preview
            </button>
          </div>
        ) : null}
        {sentence === null ? null : (
          <section className={styles.words}>
            <h2>In words</h2>
            <p>{sentence}.</p>
          </section>
        )}
      </div>
      <RulePreviewPanel preview={state.preview} organizationSlug={organizationSlug} />
    </ActionForm>
  )
}
