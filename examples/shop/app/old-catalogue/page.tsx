import { redirect } from 'next/navigation'

export default function OldCataloguePage(): never {
  redirect('/')
}
