import { describe, expect, it, test } from 'vitest'
import { nameOffset, parseZone, parseZonedTime, zonedIso } from './time-zone.ts'

const winter = Date.UTC(2026, 0, 15, 2, 40, 58, 123)
const summer = Date.UTC(2026, 6, 15, 2, 40, 58, 123)

it.each([
  ['UTC', '2026-01-15T02:40:58.123', 'UTC', 'UTC'],
  ['Europe/London', '2026-01-15T02:40:58.123', 'UTC', 'UTC+1'],
  ['Europe/Berlin', '2026-01-15T03:40:58.123', 'UTC+1', 'UTC+2'],
  ['Asia/Kathmandu', '2026-01-15T08:25:58.123', 'UTC+5:45', 'UTC+5:45'],
  ['America/St_Johns', '2026-01-14T23:10:58.123', 'UTC−3:30', 'UTC−2:30'],
  ['Pacific/Kiritimati', '2026-01-15T16:40:58.123', 'UTC+14', 'UTC+14'],
])('%s has its own date, time and offset', (zone, iso, inWinter, inSummer) => {
  expect(zonedIso(winter, zone)).toBe(iso)
  expect(nameOffset(winter, zone)).toBe(inWinter)
  expect(nameOffset(summer, zone)).toBe(inSummer)
})

test('clocks go forward and back at the moment that the zone says', () => {
  // Berlin, 2026-03-29: 02:00 becomes 03:00. 2026-10-25: 03:00 becomes 02:00.
  const [spring, autumn] = [Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1)]
  const shown = [spring - 1, spring, autumn - 1, autumn].map(at => zonedIso(at, 'Europe/Berlin').slice(11))
  expect(shown).toEqual(['01:59:59.999', '03:00:00.000', '02:59:59.999', '02:00:00.000'])
})

describe('a typed time', () => {
  it.each(['UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe'])(
    'in %s is the moment that shows it',
    zone => {
      for (let day = 0; day < 365; day++) {
        const at = Date.UTC(2026, 0, 1 + day, day % 24, 15)
        const shown = zonedIso(at, zone)
        const read = parseZonedTime(shown.slice(0, 16), zone)
        expect(zonedIso(read, zone), shown).toBe(shown)
      }
    },
  )
  it('that clocks show twice is the earlier moment', () => {
    expect(parseZonedTime('2026-10-25T02:30', 'Europe/Berlin')).toBe(Date.UTC(2026, 9, 25, 0, 30))
  })
  it('that clocks skip is read with the offset from before', () => {
    expect(parseZonedTime('2026-03-29T02:30', 'Europe/Berlin')).toBe(Date.UTC(2026, 2, 29, 1, 30))
  })
  it.each(['', '2026-11-15', '15.11.2026 02:40', '2026-11-15T02:40Z', '2026-13-15T02:40'])('like %j is none', text => {
    expect(parseZonedTime(text, 'Europe/Berlin')).toBeNaN()
  })
})

it.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['utc', 'UTC'],
])('the zone %s is %s', (name, zone) => {
  expect(parseZone(name)).toBe(zone)
})
it.each(['', 'Mars/Olympus', '<script>', 'Europe/Berlin\n', 'x'.repeat(1_000)])('%j is no zone', name => {
  expect(parseZone(name)).toBeNull()
})
