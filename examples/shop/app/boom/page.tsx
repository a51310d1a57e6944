// A prerendered page would already fail the build.
export const dynamic = 'force-dynamic'

export default async function BoomPage() {
  await loadShelf('winter')
  return <h1>The winter shelf</h1>
}

async function loadShelf(name: string): Promise<void> {
  throw new Error(`The ${name} shelf could not be loaded`)
}
