import { readSearch } from './read-search.ts'
import { SearchBox, type SearchBoxProps } from './search-box.tsx'

const page = {
  path: '',
  label: 'Search events of this issue',
  placeholder: 'browser.name:Chrome, release:1.2.0 or tag:value',
}

export const EventSearch = (props: SearchBoxProps) => (
  <SearchBox {...props} language="events" reading={readSearch(props.typed, 'events')} page={page} />
)
