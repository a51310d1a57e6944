'use server'
import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { z } from 'zod'
import { getRuntime } from '#runtime.ts'
import { type ActionState, failed } from '#web/action-state.ts'
import { getAuth } from '#web/auth.ts'
import { codePath, safePath } from '#web/safe-path.ts'
import { signIn } from '#web/sign-in.ts'
import { themeCookie, themes } from '#web/theme.ts'
import { timeChoiceCookie, timeChoices } from '#web/time-zone.ts'

const yearSeconds = 365 * 24 * 60 * 60
const credentials = z.object({
  email: z.string().max(254),
  password: z.string().max(1_000),
  next: z.string().max(4_000),
})

/** Signs in and continues to the requested page. */
export async function submitSignIn(_previous: ActionState, form: FormData): Promise<ActionState> {
  const parsed = credentials.safeParse(Object.fromEntries(form))
  if (!parsed.success) return failed('Enter your email and password.', form)
  const { email, password, next } = parsed.data
  const missing = {
    ...(email.trim() === '' ? { email: 'Enter your email.' } : {}),
    ...(password === '' ? { password: 'Enter your password.' } : {}),
  }
  if (Object.keys(missing).length > 0) return failed('Enter your email and password.', form, missing)
  const result = await signIn(email, password)
  if (result.ok) redirect(result.needsCode ? codePath(safePath(next)) : safePath(next))
  const wrong = 'Wrong email or password.'
  if (result.code === 'wrong') return failed(wrong, form, { password: wrong })
  return failed(`Too many attempts. Try again in ${Math.ceil(result.waitMs / 60_000)} min.`, form)
}

export async function signOut(): Promise<void> {
  const auth = await getAuth()
  await auth.api.signOut({ headers: await headers() })
  redirect('/login')
}

/** Needs no sign-in: it only sets a cookie. */
export async function chooseTheme(form: FormData): Promise<void> {
  await keepChoice(themeCookie, themes.find(name => name === form.get('theme')) ?? 'system')
}

/** Local times or UTC. Needs no sign-in either. */
export async function chooseTimes(form: FormData): Promise<void> {
  await keepChoice(timeChoiceCookie, timeChoices.find(name => name === form.get('times')) ?? 'local')
}

async function keepChoice(cookie: string, value: string): Promise<void> {
  const { config } = getRuntime()
  const jar = await cookies()
  jar.set(cookie, value, {
    maxAge: yearSeconds,
    sameSite: 'lax',
    httpOnly: true,
    secure: config.publicUrl.startsWith('https:'),
  })
}
