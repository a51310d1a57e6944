/** The logo. Its outlet is colored when events arrive and gray when none have. */
export function Mark({ isFlowing = true, size = 20 }: { isFlowing?: boolean; size?: number }) {
  return (
    <svg className="mark" viewBox="0 0 20 20" width={size} height={size} aria-hidden="true">
      <g fill="currentColor">
        <path d="M6.2 5.6a3.8 3.8 0 0 1 7.6 0z" />
        <rect x="5" y="6.3" width="10" height="1.5" rx=".5" />
        <path d="M6.2 8.5h7.6v7.2H6.2z" />
        <rect x="3" y="9.3" width="14" height="4.2" rx="1" />
        <rect x="4.4" y="16.4" width="11.2" height="2" rx=".6" />
      </g>
      <circle cx="10" cy="11.4" r="3.1" fill="var(--bg)" />
      <circle className="outlet" cx="10" cy="11.4" r="2" fill={isFlowing ? 'var(--accent)' : 'var(--text-3)'} />
    </svg>
  )
}
