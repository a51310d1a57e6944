'use client'
import { eventFields } from '#search/search-fields.ts'
import { SearchBox, type SearchBoxProps } from './search-box.tsx'

const page = {
  path: '',
  label: 'Search events of this issue',
  placeholder: 'browser.name:Chrome, release:1.2.0 or tag:value',
}

export const EventSearch = (props: SearchBoxProps) => (
  <SearchBox {...props} language="events" table={eventFields} page={page} />
)
