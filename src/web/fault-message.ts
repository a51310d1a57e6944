/** Codes that commands refuse with, in the words of a form: what happened, then what to do. */
const sentences: Record<string, string> = {
  slug_invalid: 'Use 1 to 50 small letters, digits and hyphens, with at least one letter.',
  slug_reserved: 'This name is part of an address of Hydrant itself. Choose another.',
  slug_taken: 'This name is in use. Choose another.',
  email_invalid: 'This is no mail address. Write it as name@example.com.',
  email_taken: 'Somebody with this mail address exists already.',
  password_too_short: 'Use at least 8 characters.',
  password_too_long: 'Use at most 128 characters.',
  project_not_found: 'This project is no longer there. Reload the page.',
  key_not_found: 'This key is no longer there. Reload the page.',
  already_set_up: 'This server has been set up already. Sign in instead.',
}

/** Null for a code that no form expects: that is a fault of ours and is thrown, not shown. */
export function faultMessage(code: string): string | null {
  return sentences[code] ?? null
}
