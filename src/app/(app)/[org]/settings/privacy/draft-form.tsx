import { Field } from '#ui/field.tsx'
import { GetForm } from '#ui/get-form.tsx'
import { Notice } from '#ui/notice.tsx'
import styles from './privacy.module.css'
import type { Draft } from './read-draft.ts'

type Props = {
  draft: Draft
  projects: readonly { id: number; slug: string }[]
  path: string
  mayWrite: { organization: boolean; project: boolean }
}

const actions = [
  { action: 'replace', label: 'Replace with [scrubbed]' },
  { action: 'hash', label: 'Replace with a keyed hash' },
  { action: 'remove', label: 'Remove' },
] as const

/** Patterns that most people want, to copy into the field. */
const examples = [
  { name: 'Email addresses', pattern: String.raw`[\w.+-]+(?:@|%40)[\w-]+\.[\w.-]+` },
  { name: 'IPv4 addresses', pattern: String.raw`\b(?:\d{1,3}\.){3}\d{1,3}\b` },
  { name: 'Phone numbers', pattern: String.raw`\+\d[\d ()/-]{7,}\d` },
]

/** A rule to preview. It is submitted to the address, so it works without JavaScript and can be linked. */
export function DraftForm({ draft, projects, path, mayWrite }: Props) {
  return (
    <GetForm action={`${path}#new`} className="form wide">
      {draft.wasAdded ? <Notice kind="ok">Rule added. It applies to what arrives from now on.</Notice> : null}
      <div className="form-line">
        <div className="field">
          <label htmlFor="draft-project">Applies to</label>
          <select id="draft-project" name="project" className="inp" defaultValue={draft.project}>
            {mayWrite.organization ? <option value="">All projects</option> : null}
            {projects.map(({ id, slug }) => (
              <option key={id} value={slug}>
                {slug}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="draft-action">Action</label>
          <select id="draft-action" name="action" className="inp" defaultValue={draft.action}>
            {actions.map(({ action, label }) => (
              <option key={action} value={action}>
                {label}
              </option>
            ))}
          </select>
        </div>
      </div>
      <Field
        name="path"
        label="Field"
        maxLength={200}
        defaultValue={draft.path}
        placeholder="user.email"
        spellCheck={false}
        autoComplete="off"
        help="user.email, request.headers.x-*, **.phone; attributes of spans and logs by their name. Empty for every field."
      />
      <Field
        name="pattern"
        label="Pattern"
        maxLength={300}
        defaultValue={draft.pattern}
        placeholder={examples[0]?.pattern}
        spellCheck={false}
        autoComplete="off"
        help="A regular expression (RE2) for the part of a text to scrub. Empty for the whole field."
      />
      <dl className={styles.examples}>
        {examples.map(({ name, pattern }) => (
          <div key={name}>
            <dt className="t3">{name}</dt>
            <dd className="mono">{pattern}</dd>
          </div>
        ))}
      </dl>
      <div className="row">
        <button type="submit" className="btn">
          Preview
        </button>
      </div>
    </GetForm>
  )
}
