type Choice = readonly [minutes: number, label: string]

/** The choices of a list, and the present value where a file has set another one: saving the form must not change it. */
export function withPresent(choices: readonly Choice[], present: string): readonly Choice[] {
  const minutes = Number(present)
  if (!(minutes > 0) || choices.some(([each]) => each === minutes)) return choices
  return [...choices, [minutes, nameMinutes(minutes)] as const].sort(([a], [b]) => a - b)
}

function nameMinutes(minutes: number): string {
  const [size, unit] = minutes % 1_440 === 0 ? [1_440, 'day'] : minutes % 60 === 0 ? [60, 'hour'] : [1, 'minute']
  const count = minutes / size
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

export function DurationOptions({ choices, present }: { choices: readonly Choice[]; present: string }) {
  return withPresent(choices, present).map(([minutes, label]) => (
    <option key={minutes} value={minutes}>
      {label}
    </option>
  ))
}
