'use client'
import { useEffect } from 'react'

const tries = 20
const everyMs = 50

/** Scrolls to the frame or breadcrumb in the hash and marks it, even if it is folded or rendered later. */
export function HashTarget() {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const seek = (left: number) => {
      const id = decodeURIComponent(window.location.hash.slice(1))
      if (!/^(?:frame|crumb)-[\d-]+$/.test(id)) return
      const target = document.getElementById(id)
      if (target) reveal(target)
      else if (left > 0) timer = setTimeout(() => seek(left - 1), everyMs)
    }
    const onHashChange = () => seek(tries)
    onHashChange()
    window.addEventListener('hashchange', onHashChange)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('hashchange', onHashChange)
    }
  }, [])
  return null
}

function reveal(target: HTMLElement) {
  for (const marked of document.querySelectorAll('.marked')) marked.classList.remove('marked')
  for (let fold = target.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true
  target.classList.add('marked')
  target.scrollIntoView({ block: 'center' })
}
