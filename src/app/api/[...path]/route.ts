import { apiNotOffered } from '#api/api-error.ts'

/** Every other address under /api/: its callers are programs, so the answer is JSON, not a page. */
const answerUnknown = async (request: Request): Promise<Response> => apiNotOffered(request)

export const GET = answerUnknown
export const POST = answerUnknown
export const PUT = answerUnknown
export const PATCH = answerUnknown
export const DELETE = answerUnknown
