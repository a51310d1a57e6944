import type { Command } from './command.ts'

type Key = Pick<Command, 'shortcut' | 'aliases' | 'help'> & { shortcut: string; help: string }

const goHelp = 'Go to issues, feedback, traces, logs, replays, profiles, routes, releases, alerts, projects, settings'

/**
 * The keys of issues and of every page, and what each does: commands take their shortcuts from here, and docs/issues.md lists them (a
 * test compares). Keys with the same text share a row in the list of shortcuts.
 */
export const keys = {
  next: { shortcut: 'j', help: 'Next, previous issue' },
  previous: { shortcut: 'k', help: 'Next, previous issue' },
  open: { shortcut: 'Enter', help: 'Open the issue' },
  preview: { shortcut: ' ', help: 'Preview the issue' },
  select: { shortcut: 'x', help: 'Select, select up to here' },
  selectRange: { shortcut: 'Shift+x', help: 'Select, select up to here' },
  clear: { shortcut: 'Escape', help: 'Clear the selection, close the preview' },
  older: { shortcut: '[', help: 'Older, newer event' },
  newer: { shortcut: ']', help: 'Older, newer event' },
  resolve: { shortcut: 'e', help: 'Resolve or reopen' },
  assign: { shortcut: 'a', help: 'Assign' },
  archive: { shortcut: 'h', help: 'Archive' },
  priority: { shortcut: 'p', help: 'Set the priority' },
  merge: { shortcut: 'm', help: 'Merge' },
  comment: { shortcut: 'c', help: 'Comment' },
  undo: { shortcut: 'z', aliases: ['Mod+z'], help: 'Undo the last change, then the one before' },
  fresh: { shortcut: 'r', help: 'Show new issues' },
  search: { shortcut: '/', help: 'Search' },
  jump: { shortcut: 'Mod+k', help: 'Jump to an issue, a page or an action' },
  shortcuts: { shortcut: '?', help: 'Show shortcuts' },
  goIssues: { shortcut: 'g i', help: goHelp },
  goFeedback: { shortcut: 'g f', help: goHelp },
  goTraces: { shortcut: 'g t', help: goHelp },
  goLogs: { shortcut: 'g l', help: goHelp },
  goReplays: { shortcut: 'g v', help: goHelp },
  goProfiles: { shortcut: 'g o', help: goHelp },
  goRoutes: { shortcut: 'g r', help: goHelp },
  goReleases: { shortcut: 'g e', help: goHelp },
  goAlerts: { shortcut: 'g a', help: goHelp },
  goProjects: { shortcut: 'g p', help: goHelp },
  goSettings: { shortcut: 'g s', help: goHelp },
} as const satisfies Record<string, Key>
