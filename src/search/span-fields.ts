import type { FieldTable } from './field-table.ts'

export const spanStateWords = ['segment', 'prefetch'] as const
export const statusWords = ['ok', 'error'] as const
export const placeWords = ['browser', 'edge', 'server'] as const

/** The keys of the list of traces. Any other key is an attribute of the span, as text or, with a comparison, as a number. */
export const spanFields: FieldTable = {
  fields: {
    is: { kind: 'spanState', says: 'segment (a page view or request), prefetch' },
    route: { kind: 'event', says: 'route pattern, like /items/[id]' },
    op: { kind: 'event', says: 'operation, like http.server or db' },
    duration: { kind: 'duration', says: 'like >500ms or <2s' },
    status: { kind: 'status', says: 'ok or error' },
    release: { kind: 'event', says: 'release of the app' },
    environment: { kind: 'event', says: 'environment' },
    'user.id': { kind: 'event', says: 'user id' },
    place: { kind: 'place', says: 'browser, edge or server' },
    name: { kind: 'event', says: 'name of the span' },
    has: { kind: 'has', says: 'user, replay, release or any attribute' },
    'http.status': { kind: 'count', says: 'status of the response, like >=500' },
    method: { kind: 'event', says: 'GET, POST …' },
    url: { kind: 'event', says: 'address of the page or request' },
    segment: { kind: 'event', says: 'name of the page view or request it belongs to' },
    origin: { kind: 'event', says: 'which instrumentation made it' },
    'browser.name': { kind: 'event', says: 'browser' },
    'os.name': { kind: 'event', says: 'operating system' },
    device: { kind: 'event', says: 'device' },
    'sdk.name': { kind: 'event', says: 'SDK' },
    'sdk.version': { kind: 'event', says: 'SDK version' },
    server_name: { kind: 'event', says: 'host' },
    trace: { kind: 'event', says: 'trace id' },
  },
  other: 'attribute',
}
