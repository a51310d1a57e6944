import { apiNotOffered } from '#api/api-error.ts'
import { defineApiRoute } from '#api/define-api-route.ts'

/** JSON for unknown API paths, because tools can print it but not an HTML page. */
const unknownResponse = defineApiRoute({ needs: null }, async ({ request }) => apiNotOffered(request))

export const GET = unknownResponse
export const POST = unknownResponse
export const PUT = unknownResponse
export const PATCH = unknownResponse
export const DELETE = unknownResponse
