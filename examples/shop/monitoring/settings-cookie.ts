export const settingsCookie = 'monitoring'
