import NextLink from 'next/link'
import type { ComponentProps } from 'react'
import { LinkPending } from './link-pending.tsx'

/** Pages are drawn from live data on a small machine: fetching each one that is linked before anybody asks would cost more than it saves. */
export function Link({ children, ...props }: ComponentProps<typeof NextLink>) {
  return (
    <NextLink prefetch={false} {...props}>
      {children}
      <LinkPending />
    </NextLink>
  )
}
