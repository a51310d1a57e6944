import { apiNotOffered } from '#web/api/api-error.ts'

/** Every other address under /api/: whoever asks is a program, and a page would only confuse it. */
const answerUnknown = async (request: Request): Promise<Response> => apiNotOffered(request)

export const GET = answerUnknown
export const POST = answerUnknown
export const PUT = answerUnknown
export const PATCH = answerUnknown
export const DELETE = answerUnknown
