import { routeOf } from '#lens/route.ts'
import { textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import type { Part } from '../fingerprint.ts'
import { parametrise } from './parametrise.ts'

/** The route, however server and browser spell it; ids in it are values, not names. None where the event names no route. */
export function routePart(event: StoredEvent): Part[] {
  const raw = textOf(event.contexts.nextjs?.router_path) || (event.transaction ?? '')
  const route = routeOf(raw) || raw
  return route === '' ? [] : [{ kind: 'route', value: parametrise(route) }]
}
