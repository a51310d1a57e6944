import { readSearch } from './read-search.ts'
import { SearchBox, type SearchBoxProps } from './search-box.tsx'

const page = { path: 'traces', label: 'Search spans', placeholder: 'route:/items/[id], duration:>1s or text' }

export const SpanSearch = (props: SearchBoxProps) => (
  <SearchBox {...props} language="spans" reading={readSearch(props.typed, 'spans')} page={page} />
)
