'use client'
import { useEffect } from 'react'
import { reportError } from './report-error.ts'

/** Reports errors that error boundaries don't catch: in event handlers and promises. */
export function ReportWindowErrors() {
  useEffect(() => {
    const onError = (event: ErrorEvent) => void reportError(event.error ?? event.message)
    const onRejection = (event: PromiseRejectionEvent) => void reportError(event.reason)
    window.addEventListener('error', onError)
    window.addEventListener('unhandledrejection', onRejection)
    return () => {
      window.removeEventListener('error', onError)
      window.removeEventListener('unhandledrejection', onRejection)
    }
  }, [])
  return null
}
