import { apiNotOffered } from '#api/api-error.ts'
import { defineApiRoute } from '#api/define-api-route.ts'

/** Whatever else a tool asks for: a sentence that it prints, where a page would only confuse it. */
const unknownResponse = defineApiRoute({ needs: null }, async ({ request }) => apiNotOffered(request))

export const GET = unknownResponse
export const POST = unknownResponse
export const PUT = unknownResponse
export const PATCH = unknownResponse
export const DELETE = unknownResponse
