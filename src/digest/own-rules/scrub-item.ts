/** Applies the project's own scrubbing rules to the items of a record. The default rules apply in any case, before or after. */
import type { JsonObject } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import {
  applyRules,
  applyRulesToAttributes,
  applyRulesToText,
  maxSteps,
  type RuleSet,
  type StepBudget,
} from '#scrubbing/rules/apply-rules.ts'
import { limits } from '../limits.ts'
import type { Notes } from '../notes.ts'

export type OwnScrubbing = { rules: RuleSet; budget: StepBudget }
type Context = { own: OwnScrubbing | null }

export const openOwnScrubbing = (rules: RuleSet | null): OwnScrubbing | null =>
  rules === null ? null : { rules, budget: { left: maxSteps } }

/** Scrubs a normalized event, and keeps its shape. Tells whether anything has changed. */
export function scrubOwnEvent(event: StoredEvent, { own }: Context, notes: Notes): boolean {
  if (own === null) return false
  let isChanged = false
  // Their names are those of span attributes, wherever a span comes from.
  const data = event.contexts.trace?.data
  const onChange = (path: string) => {
    isChanged = true
    notes.add('scrubbed', path)
  }
  applyRulesToAttributes(data, false, { ...own, maxTextChars: limits.textChars, onChange })
  applyRules(event, { ...own, maxTextChars: limits.textChars, onChange })
  if (event.exception !== undefined && !Array.isArray(event.exception.values)) delete event.exception
  if (event.fingerprint !== undefined && !Array.isArray(event.fingerprint)) delete event.fingerprint
  return isChanged
}

/** Scrubs an item before it is read: a log, session, check-in or user report, or a span without its attributes. */
export function scrubOwnFields(item: JsonObject, { own }: Context, notes: Notes): void {
  if (own !== null) applyRules(item, options(own, notes))
}

/** Scrubs a span, log or metric. Rules name attributes as they are, whatever the field is called that holds them. */
export function scrubOwnEntry(
  entry: JsonObject,
  holder: { attributes: string; isTyped: boolean },
  { own }: Context,
  notes: Notes,
): void {
  if (own === null) return
  const attributes = entry[holder.attributes]
  applyRulesToAttributes(attributes, holder.isTyped, options(own, notes))
  entry[holder.attributes] = undefined
  applyRules(entry, options(own, notes))
  entry[holder.attributes] = attributes
}

/** Of a metric only these are scrubbed: without its name and value it would be none. */
export function scrubOwnAttributes(attributes: unknown, { own }: Context, notes: Notes): void {
  if (own !== null) applyRulesToAttributes(attributes, true, options(own, notes))
}

export const scrubOwnText = (name: string, text: string, { own }: Context): string =>
  own === null ? text : applyRulesToText(name, text, own)

const options = (own: OwnScrubbing, notes: Notes) => ({
  ...own,
  maxTextChars: limits.textChars,
  onChange: (path: string) => notes.add('scrubbed', path),
})
