/** What the drawer draws of a span, as the page's route sends it. */
export type SpanDetailsView = {
  ended: string
  /** How it compares with others of its kind; '' where there are too few. */
  usual: string
  isSlow: boolean
  /** The page view that led to this one. */
  previous: { href: string; label: string } | null
  facts: { label: string; value: string }[]
  attributes: { label: string; value: string }[]
  logs: { at: string; level: string; body: string }[]
}
export type SpanLink = { href: string; label: string; level: string; title: string }
