export type DeviceClass = 'desktop' | 'mobile' | 'tablet' | ''

/** By the system, and by the word of the user agent where a system runs on more than one kind. '' for servers and bots. */
export function deviceClass({ os_name, device }: { os_name: string; device: string }): DeviceClass {
  if (/tablet|ipad/i.test(device) || os_name === 'iPadOS') return 'tablet'
  if (/^(?:ios|android|windows phone|harmonyos)$/i.test(os_name) || /mobile|iphone/i.test(device)) return 'mobile'
  return device === 'desktop' || /^(?:macos|windows|linux|chrome os|ubuntu)/i.test(os_name) ? 'desktop' : ''
}
