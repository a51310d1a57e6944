'use client'
import { RotateCw } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTransition } from 'react'

export function RetryButton() {
  const router = useRouter()
  const [isPending, start] = useTransition()
  return (
    <button type="button" className="btn" aria-busy={isPending} onClick={() => start(() => router.refresh())}>
      <RotateCw className="i" aria-hidden="true" />
      Try again
    </button>
  )
}
