/** What the event page draws: read from what was stored, with anything unexpected left out rather than thrown. */
import type { CodeToken } from '../snippets/color-code.ts'

export type SourceLine = { number: number; text: string; isHere: boolean; tokens: CodeToken[] | null }
export type FieldView = { name: string; value: string }
export type FrameView = {
  name: string
  path: string
  line: number | null
  column: number | null
  isInApp: boolean
  source: SourceLine[]
  vars: FieldView[]
  /** Why the frame is still minified and what to do about it; null where it is not. */
  advice: string | null
}
export type ExceptionView = {
  type: string
  message: string
  mechanism: string
  isHandled: boolean | null
  /** Several errors collected into one, as AggregateError does. */
  isGroup: boolean
  frames: FrameView[]
  /** As the SDK sent them, where they have been mapped to sources since; else the same. */
  rawFrames: FrameView[]
  hiddenFrames: number
}
export type CrumbKind = 'navigation' | 'network' | 'console' | 'interaction' | 'error' | 'other'
export type CrumbView = {
  number: number
  /** Milliseconds before the event, below zero; null where the crumb has no time. */
  offsetMs: number | null
  kind: CrumbKind
  category: string
  message: string
  result: string
  level: string
}
export type GroupView = { title: string; fields: FieldView[]; hidden: number }
export type NoteView = { path: string; kind: string; detail: string }
export type EventView = {
  message: string
  exceptions: ExceptionView[]
  crumbs: CrumbView[]
  request: GroupView[]
  user: GroupView | null
  flags: GroupView | null
  contexts: GroupView[]
  extra: GroupView | null
  sdk: GroupView | null
  notes: NoteView[]
  droppedNotes: number
}
