import { readSearch } from './read-search.ts'
import { SearchBox, type SearchBoxProps } from './search-box.tsx'

const page = { path: 'issues', label: 'Search issues', placeholder: 'is:unresolved, tag:value or text' }

export const IssueSearch = (props: SearchBoxProps) => (
  <SearchBox {...props} language="issues" reading={readSearch(props.typed, 'issues')} page={page} />
)
