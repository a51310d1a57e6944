import { findItem } from '../../../../catalogue/items.ts'

export async function GET(_request: Request, { params }: RouteContext<'/api/items/[id]'>) {
  const { id } = await params
  const item = findItem(id)
  return item ? Response.json(item) : Response.json({ error: 'no such item' }, { status: 404 })
}
