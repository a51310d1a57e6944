export default async function BoomPage() {
  await loadShelf('winter')
  return <h1>The winter shelf</h1>
}

async function loadShelf(name: string): Promise<void> {
  throw new Error(`The ${name} shelf could not be loaded`)
}
