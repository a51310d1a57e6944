import type { DrawnPreview } from '#domain/alerts/draw-preview.ts'

/** By field; those that can be chosen several times have a list. */
export type RuleValues = Record<string, string | readonly string[] | undefined>

export type EditorState = {
  /** Rises with each submit, so that the fields show what was submitted. */
  version: number
  values: RuleValues | null
  faults: Record<string, string>
  message: string
  preview: DrawnPreview | null
}
export const newEditor: EditorState = { version: 0, values: null, faults: {}, message: '', preview: null }

export type EditorChoices = {
  projects: { id: number; slug: string }[]
  channels: { id: number; name: string; kind: string; state: string }[]
  members: { id: string; name: string }[]
  /** Numbers that a rule can watch. */
  presets: { id: string; label: string }[]
}
