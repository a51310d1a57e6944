import { explore } from '#queries/explore/explore.ts'
import { defineApiRoute } from '#web/api/define-api-route.ts'
import { readPage } from '#web/api/pages.ts'
import { answerExplored } from '#web/api/reading/explored-answer.ts'
import { faultAnswer } from '#web/api/reading/fault-answer.ts'
import { readFilter } from '#web/api/reading/read-filter.ts'
import { readQuestion } from '#web/api/reading/read-question.ts'

const usualLimit = 50

/** Any fields and functions of errors, spans or logs. */
export const GET = defineApiRoute({ needs: 'event:read' }, async ({ viewer, request, search }) => {
  const asked = readPage(search, usualLimit)
  const page = { ...asked, asOf: asked.asOf ?? viewer.now }
  const filter = readFilter(viewer, search, page.asOf)
  if (filter instanceof Response) return filter
  const question = readQuestion(search)
  const found = await explore(viewer, question, filter, page)
  return found.ok ? answerExplored(request, question.dataset, found, page) : faultAnswer(found)
})
