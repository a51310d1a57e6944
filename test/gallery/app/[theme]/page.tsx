import { Exhibits } from './exhibits.tsx'

export default function ThemePage() {
  return <Exhibits />
}
