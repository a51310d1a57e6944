import { apiNotOffered } from '#api/api-error.ts'
import { defineApiRoute } from '#api/define-api-route.ts'

/** Whatever else a tool asks for: a sentence that it prints, where a page would only confuse it. */
const answerUnknown = defineApiRoute({ needs: null }, async ({ request }) => apiNotOffered(request))

export const GET = answerUnknown
export const POST = answerUnknown
export const PUT = answerUnknown
export const PATCH = answerUnknown
export const DELETE = answerUnknown
