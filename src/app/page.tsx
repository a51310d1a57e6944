import { headers } from 'next/headers'
import { Level } from '#ui/level.tsx'
export default async function Page() {
  await headers()
  return (
    <p>
      hi <Level level="error" />
    </p>
  )
}
