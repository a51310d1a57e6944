/** What the event page draws: read from what was stored, with anything unexpected left out rather than thrown. */
export type SourceLine = { number: number; text: string; isHere: boolean }
export type FrameView = {
  name: string
  path: string
  line: number | null
  column: number | null
  isInApp: boolean
  source: SourceLine[]
}
export type ExceptionView = {
  type: string
  message: string
  mechanism: string
  isHandled: boolean | null
  frames: FrameView[]
  hiddenFrames: number
}
export type NoteView = { path: string; kind: string; detail: string }
export type EventView = {
  message: string
  exceptions: ExceptionView[]
  notes: NoteView[]
  droppedNotes: number
  json: string
}
