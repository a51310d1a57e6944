import { apiNotOffered } from '#api/api-error.ts'

/** Unknown paths under /api/ are requested by programs, so they get JSON instead of a page. */
const unknownResponse = async (request: Request): Promise<Response> => apiNotOffered(request)

export const GET = unknownResponse
export const POST = unknownResponse
export const PUT = unknownResponse
export const PATCH = unknownResponse
export const DELETE = unknownResponse
