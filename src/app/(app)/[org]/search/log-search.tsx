import { readSearch } from './read-search.ts'
import { SearchBox, type SearchBoxProps } from './search-box.tsx'

const page = { path: 'logs', label: 'Search log lines', placeholder: 'level:>=warn, attribute:value or words' }

export const LogSearch = (props: SearchBoxProps) => (
  <SearchBox {...props} language="logs" reading={readSearch(props.typed, 'logs')} page={page} />
)
