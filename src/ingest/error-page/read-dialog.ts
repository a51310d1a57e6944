import { join } from 'node:path'
import { readBrowserScript } from '#lib/read-browser-script.ts'
import { clipText } from '#lib/text.ts'

/** The texts of the dialog; an app may give its own in the query, under the same names. */
const texts: Readonly<Record<string, string>> = {
  lang: 'en',
  title: 'Something went wrong',
  subtitle: 'The error was reported to us.',
  subtitle2: 'Tell us what happened, and we can fix it sooner.',
  labelName: 'Name',
  labelEmail: 'Email',
  labelComments: 'What happened?',
  labelClose: 'Close',
  labelSubmit: 'Send report',
  errorGeneric: 'The report could not be sent. Try again in a minute.',
  errorFormEntry: 'Write what happened, and check the email address.',
  successMessage: 'Thank you. Your report was sent.',
}

const maxChars = 500
let source: string | null = null

/** The script that opens the dialog. Texts from the query get into it as JSON, and into the page as text. */
export function readDialog(query: URLSearchParams): string {
  source ??= readBrowserScript(join(import.meta.dirname, 'dialog.ts')).replaceAll(/^export /gm, '')
  const given = (name: string): string => clipText(query.get(name) ?? '', maxChars)
  const chosen = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, given(name) || text]))
  const user = { name: given('name'), email: given('email') }
  // The browser knows the address under which it found the script: reports go there too.
  return `(()=>{\nconst action = document.currentScript.src\n${source}\nopenDialog(action, ${literal(chosen)}, ${literal(user)})\n})()\n`
}

/** JSON that cannot end a script element or a line. */
const literal = (value: object): string =>
  JSON.stringify(value).replaceAll(/[<\u2028\u2029]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
