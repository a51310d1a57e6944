/** `/api/embed/error-page/`: GET gives the script of the crash report dialog, POST takes what the user wrote. */
import { acceptWrapped, wrapItems } from '../accept.ts'
import { admitByQuery } from '../admit.ts'
import { type Exchange, refuse } from '../ingest-context.ts'
import { collectBody } from '../read-body.ts'
import { type Refusal, refusals, refuseLimited } from '../refusal.ts'
import { sendResponse } from '../respond.ts'
import { readDialog } from './read-dialog.ts'

/** Form-encoded: 4,096 characters of any script take up to nine bytes each, and there are three more fields. */
const maxBodyBytes = 64 * 1024

export async function receiveErrorPage(exchange: Exchange): Promise<void> {
  const { query, req, res } = exchange
  const admission = await admitByQuery(exchange)
  if (!admission.ok && !(isLater(admission.refusal) && req.method === 'GET')) {
    const { refusal } = admission
    return refuse(exchange, isLater(refusal) ? refusal : { ...refusal, status: 404 })
  }
  const eventId = (query.get('eventId') ?? '').replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(eventId)) return refuse(exchange, refusals.badEventId)
  if (req.method === 'GET') {
    const headers = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff']
    const contentType = 'text/javascript; charset=utf-8'
    return sendResponse(res, { status: 200, contentType, body: readDialog(query), headers })
  }
  if (!admission.ok) return refuse(exchange, admission.refusal)
  const limit = exchange.context.reportLimit.take(exchange.clientAddress)
  if (limit !== null) return refuse(exchange, refuseLimited([limit]))
  const body = await collectBody(exchange, admission, maxBodyBytes)
  if (body === null) return
  const report = readReport(new URLSearchParams(body.toString('utf8')))
  if (report === null) return refuse(exchange, refusals.badReport)
  const payload = JSON.stringify({ event_id: eventId, ...report })
  const envelope = wrapItems({}, [{ headers: { type: 'user_report' }, payload }])
  return acceptWrapped(exchange, admission.key, envelope, { status: 200, body: '{}' })
}

/** While keys cannot be read, the dialog opens all the same: by the time the user has written something, they may be there. */
const isLater = ({ status }: Refusal): boolean => status === 503

/** Returns null if the comment is empty or the email address is invalid. */
function readReport(form: URLSearchParams) {
  const field = (name: string, maxChars: number): string =>
    (form.get(name) ?? '').trim().slice(0, maxChars).toWellFormed()
  const report = {
    name: field('name', 128),
    email: field('email', 320),
    comments: field('comments', 4_096),
    url: field('url', 2_000),
  }
  const isAddress = report.email === '' || /^[^\s@]+@[^\s@]+$/.test(report.email)
  return report.comments !== '' && isAddress ? report : null
}
