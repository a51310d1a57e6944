import { Inbox, Trash2 } from 'lucide-react'
import { Blank, FailedPanel } from '#ui/blank.tsx'
import { ConfirmButton, ConfirmDialog, NoDefaultButton, SubmitButton } from '#ui/buttons.tsx'
import { CheckedForm } from '#ui/checked-form.tsx'
import { CopyButton, CopyLink } from '#ui/copy-button.tsx'
import { DataTable, numeric, stacked } from '#ui/data-table.tsx'
import { Field } from '#ui/field.tsx'
import { GetForm } from '#ui/get-form.tsx'
import { HashTarget } from '#ui/hash-target.tsx'
import { Level } from '#ui/level.tsx'
import { Link } from '#ui/link.tsx'
import { LinkPending, PendingBar } from '#ui/link-pending.tsx'
import { LoadingLines } from '#ui/loading-lines.tsx'
import { Mark } from '#ui/mark.tsx'
import { Menu, MenuFields } from '#ui/menu.tsx'
import { NavLink } from '#ui/nav-link.tsx'
import { Notice } from '#ui/notice.tsx'
import { Facts, ScrollRegion, Section, Step, TopBar, Trail } from '#ui/page-parts.tsx'
import { PanelBoundary } from '#ui/panel-boundary.tsx'
import { Picture } from '#ui/picture.tsx'
import { RetryButton } from '#ui/retry-button.tsx'
import { Wire } from '#ui/wire.tsx'
import { Forced, Opened, Sending, Tall } from '../forced.tsx'
import { exhibit, type Room } from '../states.tsx'
import { longName, longText, oddText } from './words.ts'

const sorted = { href: '?sort=-events', isOn: true }
const rows = (texts: readonly string[]) =>
  texts.map((text, index) => (
    <tr key={index} {...stacked.row}>
      <td {...stacked.cell}>{text}</td>
      <td {...stacked.cell} className="num">
        {index * 1_234}
      </td>
    </tr>
  ))
const pixels =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%22320%22 height=%2260%22%3E%3Crect width=%22320%22 height=%2260%22 fill=%22teal%22/%3E%3C/svg%3E'
const columns = ['Name', { ...numeric('Events'), sort: sorted }]
const confirmation = {
  query: 'Delete this project?',
  effect: 'Its events are deleted in 30 days. Until then it can be restored.',
  verb: 'Delete project',
}

export const basics: Room = {
  folder: 'ui',
  exhibits: [
    exhibit(
      'SubmitButton',
      SubmitButton,
      {
        primary: <SubmitButton>Save</SubmitButton>,
        plain: <SubmitButton look="plain s">Save</SubmitButton>,
        small: <SubmitButton look="s">Save</SubmitButton>,
        danger: <SubmitButton look="s danger">Delete</SubmitButton>,
        ordinary: <SubmitButton look="">Save</SubmitButton>,
        hovered: (
          <Forced as=":hover" on="button">
            <SubmitButton>Save</SubmitButton>
          </Forced>
        ),
        focused: (
          <Forced as=":focus-visible" on="button">
            <SubmitButton>Save</SubmitButton>
          </Forced>
        ),
        busy: (
          <Sending>
            <SubmitButton>Save</SubmitButton>
          </Sending>
        ),
        long: <SubmitButton>{longName.slice(0, 120)}</SubmitButton>,
      },
      'row',
    ),
    exhibit('NoDefaultButton', NoDefaultButton, { 'always hidden': <NoDefaultButton /> }, 'row'),
    exhibit(
      'ConfirmButton',
      ConfirmButton,
      {
        closed: (
          <ConfirmButton className="btn s danger" {...confirmation}>
            Delete
          </ConfirmButton>
        ),
        'with a name of its own': (
          <ConfirmButton className="icon-btn" label="Delete project web" {...confirmation}>
            <Trash2 className="i" aria-hidden="true" />
          </ConfirmButton>
        ),
      },
      'row',
    ),
    exhibit('ConfirmDialog', ConfirmDialog, {
      'dangerous, open': (
        <Tall height={220}>
          <Forced as=":popover-open" on="dialog">
            <ConfirmDialog id="confirm-danger" {...confirmation} />
          </Forced>
        </Tall>
      ),
      'with a choice, open': (
        <Tall height={260}>
          <Forced as=":popover-open" on="dialog">
            <ConfirmDialog
              id="confirm-choice"
              {...confirmation}
              query="Merge 3 issues?"
              verb="Merge"
              look="primary"
              extra={
                <label style={{ display: 'block', marginBottom: 12 }}>
                  <input className="check" type="checkbox" name="tokens" defaultChecked /> Also revoke their tokens
                </label>
              }
            />
          </Forced>
        </Tall>
      ),
      'long, open': (
        <Tall height={320}>
          <Forced as=":popover-open" on="dialog">
            <ConfirmDialog id="confirm-long" {...confirmation} effect={longText} />
          </Forced>
        </Tall>
      ),
    }),
    exhibit(
      'CopyButton',
      CopyButton,
      {
        small: <CopyButton text="https://hydrant.example/acme" />,
        large: <CopyButton text="https://hydrant.example/acme" label="Copy DSN" isSmall={false} />,
        hovered: (
          <Forced as=":hover" on="button">
            <CopyButton text="" />
          </Forced>
        ),
      },
      'row',
    ),
    exhibit('CopyLink', CopyLink, { ready: <CopyLink /> }, 'row'),
    exhibit(
      'RetryButton',
      RetryButton,
      {
        ready: <RetryButton />,
        focused: (
          <Forced as=":focus-visible" on="button">
            <RetryButton />
          </Forced>
        ),
      },
      'row',
    ),
    exhibit('Menu', Menu, {
      closed: (
        <Menu label="Assign" className="btn">
          <button type="button">Ada Lovelace</button>
        </Menu>
      ),
      open: (
        <Tall height={300}>
          <Opened>
            <div style={{ display: 'inline-block', minWidth: 220 }}>
              <Menu label="Assign" className="btn">
                <button type="button" aria-current="true">
                  Ada Lovelace
                </button>
                <button type="button">Grace Hopper</button>
                <button type="button">{longName}</button>
              </Menu>
            </div>
          </Opened>
        </Tall>
      ),
      'open, an item hovered': (
        <Tall height={140}>
          <Opened>
            <Forced as=":hover" on=".pop button:nth-child(2)">
              <div style={{ display: 'inline-block', minWidth: 220 }}>
                <Menu label="Status" className="btn">
                  <button type="button">Resolve</button>
                  <button type="button">Archive</button>
                </Menu>
              </div>
            </Forced>
          </Opened>
        </Tall>
      ),
    }),
    exhibit('MenuFields', MenuFields, {
      'in an open menu': (
        <Tall height={140}>
          <Opened>
            <div style={{ display: 'inline-block', minWidth: 260 }}>
              <Menu label="Archive" className="btn">
                <MenuFields change="archive-count" label="Until it happens again">
                  <input className="inp" type="number" name="count" defaultValue={100} aria-label="Times" />
                </MenuFields>
              </Menu>
            </div>
          </Opened>
        </Tall>
      ),
    }),
    exhibit('Field', Field, {
      empty: <Field name="field-empty" label="Name" />,
      filled: <Field name="field-filled" label="Email" type="email" defaultValue="ada@example.com" />,
      'with help': <Field name="field-help" label="Slug" help="Lowercase letters, digits and hyphens." />,
      'with an error': (
        <Field name="field-error" label="Slug" defaultValue="A b" error="This name is reserved. Choose another name." />
      ),
      focused: (
        <Forced as=":focus-visible" on="input">
          <Field name="field-focused" label="Name" defaultValue="web" />
        </Forced>
      ),
      disabled: <Field name="field-disabled" label="Name" defaultValue="web" disabled />,
      'long text': <Field name="field-long" label={longName.slice(0, 90)} defaultValue={longText} help={longText} />,
    }),
    exhibit('CheckedForm', CheckedForm, {
      ready: (
        <CheckedForm action={() => {}} faults={{}}>
          <Field name="checked-name" label="Name" />
          <SubmitButton>Save</SubmitButton>
        </CheckedForm>
      ),
      refused: (
        <CheckedForm action={() => {}} faults={{ 'refused-name': 'Enter a name.' }}>
          <Field name="refused-name" label="Name" error="Enter a name." />
          <SubmitButton>Save</SubmitButton>
        </CheckedForm>
      ),
    }),
    exhibit('GetForm', GetForm, {
      ready: (
        <GetForm action="/acme/issues" className="form" aria-label="Search">
          <Field name="get-q" label="Search" type="search" />
          <SubmitButton look="s">Search</SubmitButton>
        </GetForm>
      ),
    }),
    exhibit(
      'Notice',
      Notice,
      {
        error: <Notice kind="error">The file is larger than 50 MB. Send a smaller one.</Notice>,
        warning: <Notice kind="warning">A store did not respond, so events may be missing.</Notice>,
        info: <Notice kind="info">Times are in UTC until this browser has told its zone.</Notice>,
        ok: <Notice kind="ok">Saved.</Notice>,
        long: <Notice kind="error">{longText}</Notice>,
      },
      'block',
    ),
    exhibit(
      'Level',
      Level,
      Object.fromEntries(
        ['fatal', 'error', 'warning', 'info', 'ok', 'debug', 'log', 'trace', 'of another kind'].map(level => [
          level,
          <Level key={level} level={level} />,
        ]),
      ),
      'row',
    ),
    exhibit(
      'Wire',
      Wire,
      Object.fromEntries(
        ['browser', 'edge', 'server', 'both', 'unknown'].flatMap(side => [
          [side, <Wire key={side} side={side} />],
          [`${side}, with word`, <Wire key={side} side={side} hasWord />],
        ]),
      ),
      'row',
    ),
    exhibit('Mark', Mark, { flowing: <Mark />, dry: <Mark isFlowing={false} />, large: <Mark size={64} /> }, 'row'),
    exhibit('Blank', Blank, {
      'title only': <Blank title="No issues" />,
      'with the next step': (
        <Blank
          title="No events yet"
          icon={<Inbox className="i" aria-hidden="true" />}
          actions={
            <button type="button" className="btn primary">
              Set up an SDK
            </button>
          }
        >
          Install an SDK, and the first event appears here within seconds.
        </Blank>
      ),
      'with a reference': (
        <Blank title="This page failed" reference="Reference: page_5f3a" actions={<RetryButton />}>
          Try again. If it stays so, look for the reference in the log of the server.
        </Blank>
      ),
      'as a page': (
        <Blank title="Page not found" isPage>
          The link may be old, or you have no access.
        </Blank>
      ),
      long: <Blank title={longText.slice(0, 90)}>{longText}</Blank>,
    }),
    exhibit('FailedPanel', FailedPanel, {
      failed: <FailedPanel what="Events" reference="2158402733" />,
    }),
    exhibit('PanelBoundary', PanelBoundary, {
      'with its panel': (
        <PanelBoundary what="The chart">
          <p>A panel.</p>
        </PanelBoundary>
      ),
      failed: (
        <PanelBoundary what="The chart" ref={boundary => boundary?.setState({ reference: 'page_5f3a' })}>
          <p>A panel.</p>
        </PanelBoundary>
      ),
    }),
    exhibit('LoadingLines', LoadingLines, { loading: <LoadingLines /> }),
    exhibit('Link', Link, {
      ordinary: (
        <Link className="link" href="/acme">
          All issues
        </Link>
      ),
      hovered: (
        <Forced as=":hover" on="a">
          <Link className="link" href="/acme">
            All issues
          </Link>
        </Forced>
      ),
      focused: (
        <Forced as=":focus-visible" on="a">
          <Link className="link" href="/acme">
            All issues
          </Link>
        </Forced>
      ),
      long: (
        <Link className="link" href="/acme">
          {longName}
        </Link>
      ),
    }),
    exhibit('LinkPending', LinkPending, { 'outside of a navigation': <LinkPending /> }),
    exhibit('PendingBar', PendingBar, {
      'while a page loads': (
        <Tall height={8}>
          <PendingBar />
        </Tall>
      ),
    }),
    exhibit('NavLink', NavLink, {
      elsewhere: <NavLink href="/acme/traces">Traces</NavLink>,
      here: <NavLink href="/acme/issues">Issues</NavLink>,
    }),
    exhibit('Section', Section, {
      plain: <Section title="Stack trace">A section.</Section>,
      'with note and action': (
        <Section title="Breadcrumbs" note="12 in 4 s" actions={<CopyButton text="" />}>
          A section.
        </Section>
      ),
      long: (
        <Section title={longText.slice(0, 90)} note={longText} actions={<CopyButton text="" />}>
          {longText}
        </Section>
      ),
    }),
    exhibit('Facts', Facts, {
      empty: <Facts facts={[{ label: 'Release', value: '' }]} />,
      one: <Facts facts={[{ label: 'Release', value: 'web@1.4.0' }]} />,
      many: <Facts facts={['Release', 'Browser', 'Route'].map(label => ({ label, value: oddText }))} />,
      wide: <Facts isWide facts={['Release', 'Browser', 'Route'].map(label => ({ label, value: 'web@1.4.0' }))} />,
      long: <Facts isWide facts={[{ label: longName, value: longText }]} />,
    }),
    exhibit('Step', Step, {
      open: (
        <Step number={1} title="Install the SDK">
          <p>npm install @sentry/nextjs</p>
        </Step>
      ),
      done: (
        <Step number={2} title="Send an event" isDone>
          <p>Received 2 min ago.</p>
        </Step>
      ),
      'without a number': (
        <Step number={null} title="Upload source maps">
          <p>Optional.</p>
        </Step>
      ),
    }),
    exhibit('Trail', Trail, {
      one: <Trail stops={[{ href: '/acme/issues', label: 'Issues' }]} here="WEB-42" />,
      many: (
        <Trail stops={['Settings', 'Channels', 'New'].map(label => ({ href: `/acme/${label}`, label }))} here="Slack" />
      ),
      long: <Trail stops={[{ href: '/acme/issues', label: 'Issues' }]} here={longName} />,
    }),
    exhibit('TopBar', TopBar, {
      title: (
        <TopBar>
          <h1>Issues</h1>
        </TopBar>
      ),
      'with actions': (
        <TopBar actions={<CopyLink />}>
          <h1>Issues</h1>
        </TopBar>
      ),
      long: (
        <TopBar actions={<CopyLink />}>
          <Trail stops={[{ href: '/acme/issues', label: 'Issues' }]} here={longName} />
        </TopBar>
      ),
    }),
    exhibit('ScrollRegion', ScrollRegion, {
      wide: (
        <ScrollRegion className="tb-scroll" label="A wide text">
          <pre>{longText}</pre>
        </ScrollRegion>
      ),
    }),
    exhibit('DataTable', DataTable, {
      empty: (
        <DataTable label="Names, none" columns={columns}>
          {null}
        </DataTable>
      ),
      one: (
        <DataTable label="Names, one" columns={columns}>
          {rows(['web'])}
        </DataTable>
      ),
      many: (
        <DataTable label="Names, many" columns={columns}>
          {rows(['web', 'api', oddText, 'worker'])}
        </DataTable>
      ),
      'stacked on a phone': (
        <DataTable label="Names, stacked" columns={columns} isStacked>
          {rows(['web', 'api'])}
        </DataTable>
      ),
      long: (
        <DataTable label="Names, long" columns={columns}>
          {rows([longName, longText])}
        </DataTable>
      ),
    }),
    exhibit('Picture', Picture, {
      drawn: <Picture src={pixels} alt="A screenshot" />,
      'not drawn': <Picture src="data:image/png;base64,AAAA" alt="A screenshot" />,
    }),
    exhibit('HashTarget', HashTarget, { 'draws nothing': <HashTarget /> }),
  ],
}
