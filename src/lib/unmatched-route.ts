/** The row of all paths without a known route. No route looks like this. */
export const unmatchedRoute = '(unmatched)'
