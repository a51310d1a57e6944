'use client'
/** Loaded where they are drawn: the layout of an organization offers them, and nearly everybody who opens a page is signed in. */
import { type ComponentProps, lazy } from 'react'

// Without Suspense, so that the server waits for them and they work without JavaScript.
const Form = lazy(async () => ({ default: (await import('./sign-in-form.tsx')).SignInForm }))
const Passkey = lazy(async () => ({ default: (await import('./account/use-passkey.tsx')).UsePasskey }))

export const SignInForm = (props: ComponentProps<typeof Form>) => <Form {...props} />
export const UsePasskey = (props: ComponentProps<typeof Passkey>) => <Passkey {...props} />
