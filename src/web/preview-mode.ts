import type { IncomingHttpHeaders } from 'node:http'

/** With the keys of a build, these headers and cookies make Next skip its caches or show drafts. Hydrant has neither. */
const headers = [
  'x-prerender-revalidate',
  'x-prerender-revalidate-if-generated',
  'x-next-revalidated-tags',
  'x-next-revalidate-tag-token',
]
const cookie = /(?:^|;\s*)(?:__prerender_bypass|__next_preview_data)=[^;]*/g

/** A release is built once for all installations, so its keys are no secret. */
export function dropPreviewMode(given: IncomingHttpHeaders): void {
  for (const name of headers) delete given[name]
  if (given.cookie !== undefined) given.cookie = given.cookie.replace(cookie, '').replace(/^;\s*/, '')
}
