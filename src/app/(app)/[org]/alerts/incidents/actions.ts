'use server'
import { z } from 'zod'
import { acknowledgeIncident, closeIncident, commentOnIncident } from '#domain/alerts/handle-incident.ts'
import { defineAction } from '#web/define-action.ts'
import { formId } from '#web/form-number.ts'

const incident = formId

/** Acknowledges an incident, or closes it by hand. */
export const changeIncident = defineAction(
  {
    input: z.object({ incident, change: z.enum(['acknowledge', 'close']) }),
    verb: {
      among: ['incident.acknowledge', 'incident.close'],
      chosen: ({ change }) => (change === 'close' ? 'incident.close' : 'incident.acknowledge'),
    },
  },
  async (context, { incident: incidentId, change }, viewer) => {
    const scope = viewer.projects.map(({ id }) => id)
    const named = { organizationId: viewer.organization.id, scope, incidentId }
    const result = await (change === 'close' ? closeIncident(context, named) : acknowledgeIncident(context, named))
    return result.ok ? { ...result, change } : result
  },
  ({ change }) => ({ say: change === 'close' ? 'Incident closed.' : 'Incident acknowledged.' }),
)

export const submitIncidentComment = defineAction(
  { input: z.object({ incident, text: z.string() }), verb: 'incident.comment', faultField: 'text' },
  (context, { incident: incidentId, text }, viewer) =>
    commentOnIncident(context, {
      organizationId: viewer.organization.id,
      scope: viewer.projects.map(({ id }) => id),
      ...{ incidentId, text },
    }),
  () => ({ say: 'Comment added.' }),
)
