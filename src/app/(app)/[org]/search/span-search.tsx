'use client'
import { spanFields } from '#search/span-fields.ts'
import { SearchBox, type SearchBoxProps } from './search-box.tsx'

const page = { path: 'traces', label: 'Search spans', placeholder: 'route:/items/[id], duration:>1s or text' }

export const SpanSearch = (props: SearchBoxProps) => (
  <SearchBox {...props} language="spans" table={spanFields} page={page} />
)
