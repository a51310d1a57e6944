/** What the drawer draws of a span, as the page's route sends it. */
export type SpanDetailsView = {
  ended: string
  facts: { label: string; value: string }[]
  attributes: { label: string; value: string }[]
  logs: { at: string; level: string; body: string }[]
}
export type SpanLink = { href: string; label: string; level: string; title: string }
