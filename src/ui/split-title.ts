/** `TypeError: x is not a function` → its type and its message. A sentence that merely holds a colon stays whole. */
export function splitTitle(title: string): { type: string; message: string } {
  const match = /^([A-Za-z_$][\w$.]*): (.*)$/s.exec(title)
  return match ? { type: match[1] ?? '', message: match[2] ?? '' } : { type: title || '(no message)', message: '' }
}
