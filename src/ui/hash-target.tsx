'use client'
import { useEffect } from 'react'

const tries = 20
const everyMs = 50

/** A link to a part of the page finds it also where it is folded, or not drawn yet; it is opened, shown and marked. */
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
    const look = () => seek(tries)
    look()
    window.addEventListener('hashchange', look)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('hashchange', look)
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
