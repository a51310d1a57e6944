/** Every server action is found in the source, and each is called so that a lost request destroys nothing and nothing happens twice. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter(path => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
  .map(path => ({ path: `src/${path}`, text: readFileSync(join(root, 'src', path), 'utf8') }))

type Action = { name: string; path: string; body: string }

/** All exports of files with 'use server', up to the next one. */
const actions: Action[] = files
  .filter(({ text }) => /^'use server'/m.test(text))
  .flatMap(({ path, text }) => {
    const starts = [...text.matchAll(/^export (?:async function|const) (\w+)/gm)]
    return starts.map((start, index) => ({
      name: start[1] ?? '',
      path,
      body: text.slice(start.index, starts[index + 1]?.index),
    }))
  })

/** Actions whose result is not kept, because doing them twice is the same as doing them once, or because a second try explains itself. */
const repeatable: Record<string, string> = {
  chooseTheme: 'sets a cookie',
  chooseTimes: 'sets a cookie',
  signOut: 'ends a session that may have ended',
  submitSignIn: 'another session, which the list of sessions shows; its cookie can’t be kept',
  submitCode: 'its cookie can’t be kept; a used code says so',
  submitLink: 'its cookie can’t be kept; a used link says so',
  submitSubscription: 'sets a choice to what the button says',
  startPasskey: 'only a challenge',
  savePasskey: 'a credential that is known is not added again',
  startPasskeySignIn: 'only a challenge',
  submitPasskey: 'its cookie can’t be kept; a challenge works once',
}
/** Called by script with values instead of a form; `useAttempt` keeps the page and says what was lost. */
const calledWithValues = ['startPasskey', 'savePasskey', 'startPasskeySignIn', 'submitPasskey']

/** A form of ours, the state of one, or a command. */
const mechanism = (name: string): RegExp =>
  new RegExp(
    [
      `useAction(?:<\\w+>)?\\([^)]*\\b${name}\\b`,
      `<SendForm\\b[^>]*action=\\{${name}\\}`,
      `<(?:ThemeForm|Choices|ChoiceCommands|SignOutForm|ListActionsProvider)\\b[\\s\\S]*?=\\{${name}\\}`,
    ].join('|'),
  )

/** The bodies of the functions of the same file that are called. */
function calledIn(body: string, text: string): string[] {
  const names = [...body.matchAll(/\b([a-z]\w+)\(/g)].map(([, name = '']) => name)
  return names.map(name => text.split(new RegExp(`^async function ${name}\\(`, 'm'))[1]?.split(/^\}/m)[0] ?? '')
}

const callers = (name: string) =>
  files.filter(({ text }) =>
    [...text.matchAll(/import \{([^}]*)\} from '[^']*actions\.ts'/g)].some(([, names = '']) =>
      names.split(',').some(each => each.trim() === name),
    ),
  )

describe('server actions', () => {
  it('are found', () => {
    expect(actions.length).toBeGreaterThan(55)
    expect(new Set(actions.map(({ name }) => name)).size).toBe(actions.length)
  })

  it.each(actions)('$name is called through the one mechanism', ({ name }) => {
    const found = callers(name)
    const wrong = found.filter(({ text }) =>
      calledWithValues.includes(name) ? !text.includes('useAttempt()') : !mechanism(name).test(text),
    )
    expect(wrong.map(({ path }) => path)).toEqual([])
    expect(found.length).toBeGreaterThan(0)
  })

  it.each(actions)('$name happens once, or may happen twice for a reason', ({ name, path, body }) => {
    const text = files.find(file => file.path === path)?.text ?? ''
    const own = body.split(/^\}/m)[0] ?? ''
    const helpers = calledIn(own, text)
    const reached = [own, ...helpers, ...helpers.flatMap(helper => calledIn(helper, text))]
    const isKept = reached.some(each => /\b(?:defineAction|defineAccountAction|once)\(/.test(each))
    expect(isKept).toBe(repeatable[name] === undefined)
  })

  it('say that they are repeatable where a form calls them', () => {
    const wrong = Object.keys(repeatable).flatMap(name =>
      callers(name)
        .filter(({ text }) => new RegExp(`useAction\\(${name}, \\w+\\)`).test(text))
        .map(({ path }) => `${path} calls ${name} without isRepeatable`),
    )
    expect(wrong).toEqual([])
  })

  it('are called only through src/ui/send, not through React’s own hook or form', () => {
    const own = 'src/ui/send/'
    const hooks = files.filter(({ path, text }) => !path.startsWith(own) && /\buseActionState\b/.test(text))
    expect(hooks.map(({ path }) => path)).toEqual([])
    // The forms of reads go to an address.
    const forms = files
      .filter(({ path }) => !path.startsWith(own))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/<form\b[\s\S]*?action=\{([^}]*)/g)].map(([, action = '']) => ({ path, action })),
      )
    expect(forms.filter(({ action }) => !/^(?:`|href$|path$|base$|action$)/.test(action))).toEqual([])
    expect(forms.filter(({ action }) => action === 'action').map(({ path }) => path)).toEqual(['src/ui/get-form.tsx'])
  })
})
