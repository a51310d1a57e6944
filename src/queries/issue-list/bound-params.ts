/** Collects the values of a telemetry question; what goes into the SQL is the name of a parameter, never a value. */
export function boundParams() {
  const params: Record<string, unknown> = {}
  return {
    params,
    bind(value: unknown, type: string): string {
      const name = `p${Object.keys(params).length}`
      params[name] = value
      return `{${name}:${type}}`
    },
  }
}

export type Bind = ReturnType<typeof boundParams>['bind']
