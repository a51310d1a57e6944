import { expect, test } from 'vitest'
import { type Command, pressedShortcut, shortcutLabel } from './command.ts'
import { createRegistry } from './registry.ts'

function setUp() {
  const registry = createRegistry()
  const done: string[] = []
  const command = (id: string, rest: Partial<Command> = {}): Command => ({
    id,
    label: id,
    kind: 'change',
    run: () => void done.push(id),
    ...rest,
  })
  return { registry, command, done, ids: () => registry.list().map(({ id }) => id) }
}
/** An element inside of those that match the selector. */
const inside = (...matching: string[]) =>
  ({
    closest: (selector: string) => (matching.some(name => selector.includes(name)) ? {} : null),
    checkVisibility: () => true,
  }) as Element

test('a key runs the command that has it, also under another name', () => {
  const { registry, command, done } = setUp()
  registry.put('list', [command('next', { shortcut: 'j', aliases: ['ArrowDown'] })])
  registry.find('j', null)?.run()
  registry.find('ArrowDown', null)?.run()
  expect(done).toEqual(['next', 'next'])
  expect(registry.find('k', null)).toBeNull()
})

test('a second command with the same shortcut is refused and changes nothing', () => {
  const { registry, command, ids } = setUp()
  registry.put('list', [command('resolve', { shortcut: 'e' })])
  expect(() => registry.put('page', [command('edit', { shortcut: 'e' })])).toThrow(
    'edit and resolve both have the shortcut e',
  )
  expect(() => registry.put('page', [command('a', { shortcut: 'x' }), command('b', { aliases: ['x'] })])).toThrow()
  expect(ids()).toEqual(['resolve'])
})

test('a command that yields runs only while the other one is not available', () => {
  const { registry, command } = setUp()
  let selected = 1
  registry.put('list', [command('clear', { shortcut: 'Escape', isAvailable: () => selected > 0 })])
  registry.put('peek', [command('close', { shortcut: 'Escape', yieldsTo: 'clear' })])
  expect(registry.find('Escape', null)?.id).toBe('clear')
  selected = 0
  expect(registry.find('Escape', null)?.id).toBe('close')
})

test('a dialog has its own keys until it is closed', () => {
  const { registry, command } = setUp()
  registry.put('list', [command('merge', { shortcut: 'm' })])
  const cancel = inside('dialog')
  expect(registry.find('m', cancel)).toBeNull()
  // The browser takes the focus from it with the next frame.
  expect(registry.find('m', { ...cancel, checkVisibility: () => false })?.id).toBe('merge')
})

test('an unavailable command has no key, but stays in the list', () => {
  const { registry, command, ids } = setUp()
  registry.put('toast', [command('undo', { shortcut: 'Mod+z', isAvailable: () => false })])
  expect(registry.find('Mod+z', null)).toBeNull()
  expect(ids()).toEqual(['undo'])
})

test('the component mounted last answers first, if it can', () => {
  const { registry, command, done } = setUp()
  let hasSecond = true
  const undo = (name: string, isAvailable: () => boolean) =>
    command('undo', { shortcut: 'Mod+z', isAvailable, run: () => void done.push(name) })
  registry.put('list', [undo('first', () => true)])
  registry.put('peek', [undo('second', () => hasSecond)])
  registry.find('Mod+z', null)?.run()
  hasSecond = false
  registry.find('Mod+z', null)?.run()
  expect(done).toEqual(['second', 'first'])
})

test('commands leave with their component, and their shortcuts are free again', () => {
  const { registry, command, ids } = setUp()
  let changes = 0
  const stop = registry.subscribe(() => changes++)
  registry.put('list', [command('resolve', { shortcut: 'e' })])
  registry.remove('list')
  registry.remove('list')
  expect(registry.find('e', null)).toBeNull()
  registry.put('page', [command('edit', { shortcut: 'e' })])
  expect(ids()).toEqual(['edit'])
  expect(changes).toBe(3)
  stop()
  registry.remove('page')
  expect(changes).toBe(3)
})

test('a component that changes its commands keeps their position', () => {
  const { registry, command, ids } = setUp()
  registry.put('issue', [command('resolve', { shortcut: 'e' })])
  registry.put('help', [command('shortcuts')])
  registry.put('issue', [command('reopen', { shortcut: 'e' })])
  expect(ids()).toEqual(['reopen', 'shortcuts'])
})

test('fields, menus and dialogs keep their keys unless a command asks for them', () => {
  const { registry, command } = setUp()
  registry.put('page', [
    command('search', { shortcut: '/' }),
    command('jump', { shortcut: 'Mod+k', acceptsFocus: () => true }),
  ])
  expect(registry.find('/', inside())?.id).toBe('search')
  for (const place of ['input', 'dialog', '.pop']) expect(registry.find('/', inside(place))).toBeNull()
  expect(registry.find('Mod+k', inside('input'))?.id).toBe('jump')
})

test('shortcuts are read from key presses and printed', () => {
  const press = (key: string, held: Partial<KeyboardEvent> = {}) =>
    pressedShortcut({ key, metaKey: false, ctrlKey: false, altKey: false, shiftKey: false, ...held })
  expect(press('E')).toBe('e') // Caps Lock
  expect(press('X', { shiftKey: true })).toBe('Shift+x')
  expect(press('?', { shiftKey: true })).toBe('?')
  expect(press('ArrowDown', { shiftKey: true })).toBe('ArrowDown')
  expect(press('k', { ctrlKey: true })).toBe('Mod+k')
  expect(press('K', { metaKey: true, shiftKey: true })).toBeNull()
  expect(press('e', { altKey: true })).toBeNull()
  expect(press(']', { altKey: true, ctrlKey: true })).toBe(']') // AltGr
  const labels = ['j', 'Shift+x', 'Mod+z', 'Escape', ' ', '/', 'g i'].map(shortcut => shortcutLabel(shortcut, true))
  expect(labels).toEqual(['J', '⇧X', '⌘Z', 'Esc', 'Space', '/', 'G I'])
  expect(shortcutLabel('Mod+k', false)).toBe('Ctrl K')
})

test('a shortcut of two keys is found by both, and its first key is known', () => {
  const { registry, command } = setUp()
  registry.put('page', [command('issues', { shortcut: 'g i' }), command('traces', { shortcut: 'g t' })])
  expect(registry.isPrefix('g', null)).toBe(true)
  expect(registry.isPrefix('i', null)).toBe(false)
  expect(registry.isPrefix('g', inside('input'))).toBe(false)
  expect(registry.find('g t', null)?.id).toBe('traces')
  expect(registry.find('g', null)).toBeNull()
})

test('a button elsewhere runs the command mounted last that is available', () => {
  const { registry, command, done } = setUp()
  registry.put('rail', [command('jump')])
  registry.put('other', [command('jump', { isAvailable: () => false, run: () => void done.push('other') })])
  registry.run('jump')
  registry.run('unknown')
  expect(done).toEqual(['jump'])
})
