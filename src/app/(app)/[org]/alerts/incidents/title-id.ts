/** The heading of an incident, which has the focus after its buttons are gone. */
export const titleId = 'incident-title'
