const widths = ['52%', '38%', '61%', '44%', '57%', '35%', '48%', '41%']

/** The geometry of the rows, without shimmer. */
export function IssueListSkeleton() {
  return (
    <div className="ilist" role="status" aria-label="Loading issues">
      <div className="ihead" aria-hidden="true" />
      {widths.map(width => (
        <div key={width} className="irow" aria-hidden="true">
          <span className="sk" style={{ width: 12, height: 12, borderRadius: 6 }} />
          <span className="skel">
            <span className="sk" style={{ width }} />
            <span className="sk" style={{ width: '24%' }} />
          </span>
          <span className="pj" />
          <span className="sk ev" style={{ width: 40, marginLeft: 'auto' }} />
          <span className="us" />
          <span className="sk when" style={{ width: 56, marginLeft: 'auto' }} />
        </div>
      ))}
    </div>
  )
}
