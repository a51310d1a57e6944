/** Changes between letters and digits: `ckl9x2f3k` is an id, `sha256` and `utf8mb4` are names. */
const minSwitches = 4

export function isRandomId(text: string): boolean {
  let switches = 0
  let before = 0
  for (let at = 0; at < text.length; at++) {
    const kind = kindOf(text.charCodeAt(at))
    if (kind === 0) continue
    if (before !== 0 && kind !== before) switches++
    before = kind
  }
  return switches >= minSwitches
}

/** 1 digit, 2 letter, 0 neither. */
function kindOf(code: number): 0 | 1 | 2 {
  if (code >= 48 && code <= 57) return 1
  const lower = code | 32
  return lower >= 97 && lower <= 122 ? 2 : 0
}
