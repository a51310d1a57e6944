'use client'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime.js'
import {
  NavigationPromisesContext,
  PathnameContext,
  SearchParamsContext,
} from 'next/dist/shared/lib/hooks-client-context.shared-runtime.js'
import type { ReactNode } from 'react'
import { NavigationProvider } from '#ui/navigation.tsx'
import { ZoneProvider } from '#ui/time/zone-provider.tsx'

/** Around every state, what the pages give their components. No navigation leads anywhere. */
export function Stage({ children }: { children: ReactNode }) {
  return (
    <AppRouterContext value={router}>
      <NavigationPromisesContext value={null}>
        <PathnameContext value="/acme/issues">
          <SearchParamsContext value={search}>
            <ZoneProvider zone="UTC" cookie={{ name: 'zone', value: 'UTC' }} isLocal={false}>
              <NavigationProvider>{children}</NavigationProvider>
            </ZoneProvider>
          </SearchParamsContext>
        </PathnameContext>
      </NavigationPromisesContext>
    </AppRouterContext>
  )
}

const stay = () => {}
const router = {
  back: stay,
  forward: stay,
  refresh: stay,
  push: stay,
  replace: stay,
  prefetch: stay,
  bfcacheId: 'gallery',
}
const search = new URLSearchParams()
