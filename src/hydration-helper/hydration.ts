/**
 * The hydration helper runs in customers' pages, so it is small, isolated and never throws. It keeps the server's HTML until React
 * hydrates, and adds the difference to hydration errors. read-helper.ts strips the comments of this file.
 */
type Item = string | Element
type SdkEvent = {
  exception?: { values?: { value?: string }[] }
  contexts?: Record<string, Record<string, unknown>>
}

/** The SDK's global object in a page, since version 8. */
type Carrier = { version: string; [version: string]: unknown }
type Sdk = { defaultIsolationScope?: Scope; defaultCurrentScope?: Scope }
type Scope = { addEventProcessor(process: (event: SdkEvent) => SdkEvent): void }

const maxChars = 2_000_000
const fragmentChars = 1_500
const about = /Minified React error #(418|42[1-5])|hydrat|server[- ]rendered/i
const unseen = /^(SCRIPT|STYLE|LINK|TEMPLATE|NOSCRIPT|NEXT-ROUTE-ANNOUNCER)$/
const secret = ['value', 'nonce', 'srcset']

let sent = ''

/** For `integrations: [hydrationIntegration()]` of any Sentry browser SDK since version 8. */
export function hydrationIntegration() {
  if (typeof document !== 'undefined') watch()
  return { name: 'HydrantHydration', processEvent: attach }
}

/** React marks the root just before it adds its first listener; until then the page is as the server sent it. */
function watch() {
  const target = EventTarget.prototype
  const original = target.addEventListener
  const listen: typeof original = function (this: EventTarget, ...given: Parameters<typeof original>) {
    if (sent === '' && this && Object.keys(this).some(key => key.startsWith('_reactListening'))) {
      const html = document.body.outerHTML
      sent = html.length > maxChars ? ' ' : html
      if (target.addEventListener === listen) target.addEventListener = original
    }
    return original.apply(this, given)
  }
  target.addEventListener = listen
}

function attach<Given extends SdkEvent>(event: Given): Given {
  try {
    const errors = event.exception?.values ?? []
    if (sent.length > 1 && errors.some(({ value }) => about.test(value ?? ''))) {
      const server = new DOMParser().parseFromString(sent, 'text/html').body
      const pair = differ(server, document.body)
      if (pair) event.contexts = { ...event.contexts, hydrant_hydration: describe(pair) }
    }
  } catch {
    // The event must be sent in any case.
  }
  return event
}

/** The innermost elements whose own children differ. */
function differ(server: Element, client: Element): [Element, Element] | null {
  const [one, two] = [itemsOf(server), itemsOf(client)]
  for (let at = 0; at < Math.max(one.length, two.length); at++) {
    const [a, b] = [one[at], two[at]]
    if (a === b) continue
    if (a === undefined || b === undefined || typeof a === 'string' || typeof b === 'string') return [server, client]
    if (a.tagName !== b.tagName) return [server, client]
    const inner = differ(a, b)
    if (inner) return inner
  }
  return null
}

/** Visible texts and elements. React separates adjacent texts with comments. */
function itemsOf(element: Element): Item[] {
  const items: Item[] = []
  for (const node of element.childNodes) {
    const last = items.at(-1)
    if (node.nodeType === 3) {
      const text = node.nodeValue ?? ''
      if (typeof last === 'string') items[items.length - 1] = last + text
      else if (text.trim() !== '') items.push(text)
    } else if (node.nodeType === 1 && !unseen.test((node as Element).tagName)) items.push(node as Element)
  }
  return items
}

function describe([server, client]: [Element, Element]) {
  const path: string[] = []
  for (let each: Element | null = client; each && each.tagName !== 'HTML'; each = each.parentElement)
    path.unshift(each.tagName.toLowerCase())
  let [one, two] = [server, client]
  while (isShort(one.parentElement) && isShort(two.parentElement)) {
    one = one.parentElement ?? one
    two = two.parentElement ?? two
  }
  return { server: htmlOf(one), client: htmlOf(two), path: path.join(' > ') }
}

/** Some context helps to find the difference in the code; the whole page does not. */
const isShort = (element: Element | null): boolean =>
  element !== null && element.tagName !== 'BODY' && element.outerHTML.length < 500

function htmlOf(element: Element): string {
  const copy = new DOMParser().parseFromString('', 'text/html').importNode(element, true)
  for (const each of [copy, ...copy.querySelectorAll('*')]) {
    if (unseen.test(each.tagName)) each.remove()
    for (const name of secret) each.removeAttribute(name)
  }
  const [first, ...rest] = copy.outerHTML.split('<!--')
  return (first + rest.map(part => part.slice(part.indexOf('-->') + 3)).join('')).slice(0, fragmentChars)
}

/** For a script tag: finds the page's SDK at the first error. */
export function install() {
  const { processEvent } = hydrationIntegration()
  let isDone = false
  const register = () => {
    const carrier = (globalThis as { __SENTRY__?: Carrier }).__SENTRY__
    const sdk = carrier?.[carrier.version] as Sdk | undefined
    const scope = sdk?.defaultIsolationScope ?? sdk?.defaultCurrentScope
    if (isDone || !scope) return
    isDone = true
    scope.addEventProcessor(processEvent)
  }
  for (const name of ['error', 'unhandledrejection', 'load']) addEventListener(name, register, true)
}
