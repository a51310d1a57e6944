'use client'
import { useState } from 'react'

export function Word() {
  const [count, setCount] = useState(0)
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      Client component {count}
    </button>
  )
}
