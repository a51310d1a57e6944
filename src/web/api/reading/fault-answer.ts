import type { Fault } from '#queries/explore/field.ts'
import { apiError } from '../api-error.ts'

/** A question that cannot be asked: the sentence names the word that is wrong. */
export const faultAnswer = (fault: Fault): Response => apiError(400, fault.message)
