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
  /** Why the frame is still minified and what to do about it; null if it isn't. */
  advice: string | null
}
export type ExceptionView = {
  type: string
  message: string
  mechanism: string
  isHandled: boolean | null
  /** Several errors in one, such as an AggregateError. */
  isGroup: boolean
  frames: FrameView[]
  /** The frames as the SDK sent them, before source maps were applied. */
  rawFrames: FrameView[]
  hiddenFrames: number
}
export type CrumbKind = 'navigation' | 'network' | 'console' | 'interaction' | 'error' | 'other'
export type CrumbView = {
  number: number
  /** Milliseconds relative to the event, negative before it; null without a timestamp. */
  offsetMs: number | null
  kind: CrumbKind
  category: string
  message: string
  result: string
  level: string
  /** An error, or a request that the server failed to answer. */
  isBad: boolean
}
export type GroupView = { title: string; fields: FieldView[]; hidden: number }
export type NoteView = { path: string; kind: string; detail: string }
/** What the event page shows. Unexpected parts of the stored event are left out. */
export type EventView = {
  message: string
  exceptions: ExceptionView[]
  /** Stacks without an error: of the message and of threads. Empty if an exception has a stack. */
  stacks: ExceptionView[]
  crumbs: CrumbView[]
  request: GroupView[]
  /** The report that a browser sent: a violation of the Content-Security-Policy, a wrong certificate. */
  report: GroupView | null
  user: GroupView | null
  flags: GroupView | null
  contexts: GroupView[]
  extra: GroupView | null
  sdk: GroupView | null
  notes: NoteView[]
  droppedNotes: number
}
