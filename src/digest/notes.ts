/** What was changed on an item before it was stored, by path: the UI marks cut and scrubbed values. */

import { clipText } from '#lib/text.ts'
import { limits } from './limits.ts'

type NoteKind = 'trimmed' | 'scrubbed' | 'clamped' | 'invalid' | 'depth'
type Note = { path: string; kind: NoteKind; detail?: string }

export class Notes {
  readonly list: Note[] = []
  /** Notes beyond the limit are only counted. */
  dropped = 0

  add(kind: NoteKind, given: string, detail?: string): void {
    const path = given.length > limits.nameChars ? clipText(given, limits.nameChars) : given
    if (this.list.length >= limits.notes) this.dropped++
    else this.list.push(detail === undefined ? { path, kind } : { path, kind, detail })
  }

  get isEmpty(): boolean {
    return this.list.length === 0
  }

  /** Stored in an event's JSON as `_hydrant`. */
  toJson(): { notes: Note[]; dropped?: number } {
    return this.dropped === 0 ? { notes: this.list } : { notes: this.list, dropped: this.dropped }
  }

  /** Stored in the attribute `hydrant.notes`: one line, `kind path; kind path`. */
  toLine(): string {
    const line = this.list.map(note => `${note.kind} ${note.path}`).join('; ')
    return this.dropped === 0 ? line : `${line}; ${this.dropped} more`
  }
}
