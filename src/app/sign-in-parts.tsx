'use client'
import type { ComponentProps } from 'react'
/** Loaded where they are drawn: the layout of an organization offers them, and nearly everybody who opens a page is signed in. */
import { lazyPart } from '#ui/send/lazy-part.ts'

// Without Suspense, so that the server waits for them and they work without JavaScript.
const Form = lazyPart(async () => ({ default: (await import('./sign-in-form.tsx')).SignInForm }))
const Passkey = lazyPart(async () => ({ default: (await import('./account/use-passkey.tsx')).UsePasskey }))

export const SignInForm = (props: ComponentProps<typeof Form>) => <Form {...props} />
export const UsePasskey = (props: ComponentProps<typeof Passkey>) => <Passkey {...props} />
