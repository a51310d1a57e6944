import { apiNotOffered } from '#api/api-error.ts'

/** Every other address under /api/: its callers are programs, so the answer is JSON, not a page. */
const unknownResponse = async (request: Request): Promise<Response> => apiNotOffered(request)

export const GET = unknownResponse
export const POST = unknownResponse
export const PUT = unknownResponse
export const PATCH = unknownResponse
export const DELETE = unknownResponse
