import { type ReactNode, useEffect } from 'react'
import { SubmitButton } from '#ui/buttons.tsx'
import { CommandButton } from '#ui/commands/command-button.tsx'
import { CommandLabel } from '#ui/commands/command-label.tsx'
import { ShortcutKeys } from '#ui/commands/shortcut-keys.tsx'
import { Field } from '#ui/field.tsx'
import { GoKeys } from '#ui/keys/go-keys.tsx'
import { KeyDialog } from '#ui/keys/key-dialog.tsx'
import { KeyHelp } from '#ui/keys/key-help.tsx'
import { Markdown } from '#ui/markdown/markdown.tsx'
import { NavigationProvider } from '#ui/navigation.tsx'
import { Palette } from '#ui/palette/palette.tsx'
import { PaletteButton } from '#ui/palette/palette-button.tsx'
import { PaletteHost } from '#ui/palette/palette-host.tsx'
import { RecordVisit } from '#ui/palette/record-visit.tsx'
import { ActionForm, SendForm } from '#ui/send/action-form.tsx'
import type { LossKind } from '#ui/send/loss.ts'
import { putLoss } from '#ui/send/losses.ts'
import { LostNote } from '#ui/send/lost-note.tsx'
import { CodeBlock } from '#ui/snippets/code-block.tsx'
import { listSnippets } from '#ui/snippets/list-snippets.ts'
import { SnippetTabs } from '#ui/snippets/snippet-tabs.tsx'
import { Ago } from '#ui/time/ago.tsx'
import { ClockTime } from '#ui/time/clock-time.tsx'
import { Edited } from '#ui/time/edited.tsx'
import { Moment } from '#ui/time/moment.tsx'
import { ZoneProvider } from '#ui/time/zone-provider.tsx'
import { ActionToast, Toast } from '#ui/toast/toast.tsx'
import { Forced, Tall } from '../forced.tsx'
import { exhibit, type Room } from '../states.tsx'
import { dayMs, hourMs, longName, longText, minuteMs, now, oddText } from './words.ts'

export const time: Room = {
  folder: 'ui/time',
  exhibits: [
    exhibit(
      'Ago',
      Ago,
      {
        now: <Ago at={now - 400} now={now} />,
        minutes: <Ago at={now - 5 * minuteMs} now={now} />,
        hours: <Ago at={now - 5 * hourMs} now={now} />,
        days: <Ago at={now - 5 * dayMs} now={now} />,
        years: <Ago at={now - 900 * dayMs} now={now} />,
        'with another suffix': <Ago at={now - 5 * dayMs} now={now} suffix=" old" />,
      },
      'row',
    ),
    exhibit('ClockTime', ClockTime, { UTC: <ClockTime at={now} /> }, 'row'),
    exhibit('Edited', Edited, { edited: <Edited at={now} /> }, 'row'),
    exhibit(
      'Moment',
      Moment,
      {
        UTC: <Moment at={now} />,
        'with milliseconds': <Moment at={now} withMs />,
        'in another zone': (
          <ZoneProvider zone="Asia/Kathmandu" cookie={{ name: 'gallery-zone', value: 'UTC' }} isLocal={false}>
            <Moment at={now} />
          </ZoneProvider>
        ),
      },
      'row',
    ),
    exhibit('ZoneProvider', ZoneProvider, {
      'around its page': (
        <ZoneProvider zone="America/New_York" cookie={{ name: 'gallery-zone', value: 'UTC' }} isLocal={false}>
          <Moment at={now} />
        </ZoneProvider>
      ),
    }),
  ],
}

const done = { kind: 'done', message: 'Resolved WEB-42.', undo: '7' } as const
const undo = (
  <button type="button" className="btn plain s">
    Undo
  </button>
)

export const toast: Room = {
  folder: 'ui/toast',
  exhibits: [
    exhibit('Toast', Toast, {
      // A toast takes the place of the one before, so the page has room for one only: the last.
      'failure, which stays': (
        <Tall height={80}>
          <Toast message={`Couldn’t archive ${longName}. Try again.`} isFailure>
            {undo}
          </Toast>
        </Tall>
      ),
    }),
    exhibit('ActionToast', ActionToast, {
      'nothing happened': <ActionToast state={{ kind: 'idle' }} />,
      'done, gone after 8 s': (
        <Tall height={80}>
          <ActionToast state={done}>{undo}</ActionToast>
        </Tall>
      ),
    }),
  ],
}

const save = async () => {}

export const send: Room = {
  folder: 'ui/send',
  exhibits: [
    exhibit('ActionForm', ActionForm, {
      ready: (
        <ActionForm action={() => {}} className="form">
          <Field name="action-form-name" label="Name" />
          <SubmitButton>Save</SubmitButton>
        </ActionForm>
      ),
    }),
    exhibit('SendForm', SendForm, {
      ready: (
        <SendForm action={save}>
          <SubmitButton look="s">Sign out</SubmitButton>
        </SendForm>
      ),
    }),
    exhibit('LostNote', LostNote, {
      'a change that was not sent, and a session that ended': (
        <Tall height={100}>
          <Lost kinds={['unsent', 'signed_out']}>
            <LostNote />
          </Lost>
        </Tall>
      ),
    }),
  ],
}

function Lost({ kinds, children }: { kinds: readonly LossKind[]; children: ReactNode }) {
  useEffect(() => {
    for (const kind of kinds) putLoss({ kind, data: new FormData(), again: () => {} })
  }, [kinds])
  return children
}

const pages = [{ href: '/acme/issues', label: 'Issues', shortcut: 'g i', help: 'Go to a page' }]
const links = [
  { id: 'page-issues', label: 'Issues', href: '/acme/issues', shortcut: 'g i' },
  { id: 'page-project', label: longName, note: 'project', href: '/acme/projects/web' },
]
const commands = [
  { id: 'resolve', label: 'Resolve', note: 'WEB-42', kind: 'change', shortcut: 'e', run: () => {} },
  { id: 'archive', label: 'Archive', note: longText, kind: 'change', shortcut: 'h', run: () => {} },
] as const
const palette = (text: string) => (
  <Tall height={420}>
    <Palette
      commands={commands}
      readEarly={() => text}
      links={links}
      organizationSlug="acme"
      userId="gallery"
      onClose={() => {}}
    />
  </Tall>
)

export const keys: Room = {
  folder: 'ui/keys, ui/commands, ui/palette',
  exhibits: [
    exhibit(
      'ShortcutKeys',
      ShortcutKeys,
      Object.fromEntries(
        ['e', 'Shift+x', 'Mod+k', 'g i', 'Escape', ' ', 'ArrowLeft'].map(shortcut => [
          shortcut === ' ' ? 'space' : shortcut,
          <ShortcutKeys key={shortcut} shortcut={shortcut} />,
        ]),
      ),
      'row',
    ),
    exhibit(
      'CommandLabel',
      CommandLabel,
      {
        'without a shortcut': <CommandLabel label="Resolve" />,
        'with a shortcut': <CommandLabel label="Resolve" shortcut="e" />,
      },
      'row',
    ),
    exhibit(
      'CommandButton',
      CommandButton,
      {
        ready: (
          <form>
            <CommandButton id="gallery.theme" label="Dark theme" title="Dark theme" className="btn">
              Dark
            </CommandButton>
          </form>
        ),
      },
      'row',
    ),
    exhibit('KeyHelp', KeyHelp, {
      closed: <KeyHelp />,
      hovered: (
        <Forced as=":hover" on="button">
          <KeyHelp />
        </Forced>
      ),
    }),
    exhibit('KeyDialog', KeyDialog, {
      open: (
        <Tall height={360}>
          <KeyDialog onClose={() => {}} />
        </Tall>
      ),
    }),
    exhibit('GoKeys', GoKeys, { 'draws nothing': <GoKeys pages={pages} /> }),
    exhibit(
      'PaletteButton',
      PaletteButton,
      {
        'in the rail': <PaletteButton />,
        'in the tab bar': <PaletteButton isTab />,
        hovered: (
          <Forced as=":hover" on="button">
            <PaletteButton />
          </Forced>
        ),
      },
      'row',
    ),
    exhibit('PaletteHost', PaletteHost, {
      'closed; its key opens it': <PaletteHost links={links} organizationSlug="acme" userId="gallery" />,
    }),
    exhibit('Palette', Palette, {
      'nothing typed': palette(''),
      'with results': palette('check'),
      'nothing found': palette('nothing'),
      searching: palette('slow'),
      'the search failed': palette('failing'),
    }),
    exhibit('RecordVisit', RecordVisit, {
      'draws nothing': (
        <RecordVisit organizationSlug="acme" userId="gallery" href="/acme/issues/1" label="WEB-1" note="" />
      ),
    }),
    exhibit('NavigationProvider', NavigationProvider, {
      'around its page': <NavigationProvider>A page.</NavigationProvider>,
    }),
  ],
}

const mentionable = [
  { id: 'u1', handle: 'ada' },
  { id: 'u2', handle: 'grace' },
]
const markdown = (text: string) => <Markdown text={text} mentionable={mentionable} me="u1" />

export const markdownRoom: Room = {
  folder: 'ui/markdown',
  exhibits: [
    exhibit('Markdown', Markdown, {
      empty: markdown(''),
      'one line': markdown('Fixed by the last deploy.'),
      'all of it': markdown(
        '**Bold**, *italic*, `code` and [a link](https://example.com).\n\n> A quote\n\n- one\n- two\n\n3. three\n4. four\n\n```\nconst total = 1\n```\n\n@ada and @grace',
      ),
      long: markdown(`${longName} ${longText}\n\n\`\`\`\n${longText}\n\`\`\``),
      odd: markdown(oddText),
    }),
  ],
}

const sets = listSnippets({
  dsn: 'https://5f3a@hydrant.example/1',
  publicUrl: 'https://hydrant.example',
  publicKey: '5f3a',
  projectId: 1,
  organization: 'acme',
  project: 'web',
})

export const snippets: Room = {
  folder: 'ui/snippets',
  exhibits: [
    exhibit('CodeBlock', CodeBlock, {
      short: <CodeBlock code="npm install @sentry/nextjs" label="Install" />,
      colored: <CodeBlock code={sets[0]?.snippets[0]?.code ?? ''} label="Next.js, Client" />,
      long: <CodeBlock code={`// ${longText}`} label="A long line" />,
    }),
    exhibit('SnippetTabs', SnippetTabs, {
      none: (
        <SnippetTabs
          sets={[]}
          sdk={undefined}
          file={undefined}
          path=""
          token={<p className="note">The form for a token.</p>}
        />
      ),
      'the first': (
        <SnippetTabs
          sets={sets}
          sdk={undefined}
          file={undefined}
          path=""
          token={<p className="note">The form for a token.</p>}
        />
      ),
      'another, chosen': (
        <SnippetTabs
          sets={sets}
          sdk={sets.at(-1)?.id}
          file={undefined}
          path=""
          token={<p className="note">The form for a token.</p>}
        />
      ),
    }),
  ],
}
