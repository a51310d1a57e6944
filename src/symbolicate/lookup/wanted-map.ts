/** A minified file of which somebody wants the map: by the id that was put into it at build time, else by where and in which release it ran. */
export type WantedMap = {
  projectId: number
  /** The file as the stack names it. */
  file: string
  /** Lower case; '' where the event names none for this file. */
  debugId: string
  release: string
  dist: string
}

export const wantedKey = ({ projectId, file, debugId, release, dist }: WantedMap): string =>
  JSON.stringify([projectId, debugId, debugId === '' ? file : '', release, dist])
