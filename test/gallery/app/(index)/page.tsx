import { Panes } from './panes.tsx'

export default function IndexPage() {
  return <Panes />
}
