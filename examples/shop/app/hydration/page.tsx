import { RenderedBy } from './rendered-by.tsx'

export default function HydrationPage() {
  return (
    <>
      <h1>Hydration</h1>
      <RenderedBy />
    </>
  )
}
