import NextLink from 'next/link'
import type { ComponentProps } from 'react'
import { LinkPending } from './link-pending.tsx'

/** A link without prefetching: pages are rendered from live data, so prefetching every link would cost more than it saves. */
export function Link({ children, ...props }: ComponentProps<typeof NextLink>) {
  return (
    <NextLink prefetch={false} {...props}>
      {children}
      <LinkPending />
    </NextLink>
  )
}
