import { z } from 'zod'

/**
 * The id of something in a form. Accepts only digits: JavaScript also converts `1e3` or an empty string to a number, but that number
 * would name something else.
 */
export const formId = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'Unknown id. Reload the page and try again.')
  .transform(Number)

/** An id, or null for the empty choice of a menu. */
export const optionalFormId = z.preprocess(
  given => (given === undefined || given === '' ? null : given),
  formId.nullable(),
)

/** A whole number from 0. */
export const formCount = z
  .string()
  .regex(/^\d{1,15}$/, 'Enter a whole number.')
  .transform(Number)
