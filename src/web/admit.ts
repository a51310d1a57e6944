import type { Viewer } from '#queries/viewer.ts'

type Checked = { [Key in keyof Viewer as Key extends string ? Key : never]: Viewer[Key] }

/** The one place where a viewer comes into being. Its callers, the guard of pages and the guard of the API, have just read what it claims. */
export function admit(checked: Checked): Viewer {
  return checked as Viewer
}
