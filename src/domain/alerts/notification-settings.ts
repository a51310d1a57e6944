/** What members hear of without any rule, and what each has chosen instead. */

/** In the order of the settings page. */
export const notificationTypes = {
  'issue.new': { label: 'New issue', inApp: true, email: true },
  'issue.regressed': { label: 'Regression', inApp: true, email: true },
  'issue.escalating': { label: 'Escalating issue', inApp: true, email: true },
  'issue.assigned': { label: 'Issue assigned to you', inApp: true, email: false },
  'issue.resolved': { label: 'Issue resolved', inApp: false, email: false },
  incident: { label: 'Incident', inApp: true, email: true },
} as const
export type NotificationType = keyof typeof notificationTypes

export const isNotificationType = (text: string): text is NotificationType => Object.hasOwn(notificationTypes, text)

/** The setting that decides about a message. */
export const settingOf = (type: string): NotificationType => {
  if (type.startsWith('incident')) return 'incident'
  return isNotificationType(type) ? type : 'issue.escalating'
}
