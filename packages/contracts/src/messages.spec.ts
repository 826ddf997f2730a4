import { describe, expect, it } from '@jest/globals'
import * as catalog from './catalog/commands.js'
import { httpStatus } from './app-error.js'
import * as events from './events.js'
import * as accounts from './administration/accounts.js'
import * as audit from './administration/audit.js'
import * as administration from './administration/commands.js'
import * as settingsCommands from './administration/settings-commands.js'
import { defaultCallSettings, defaultSettings, settings, settingsPatch } from './administration/settings.js'
import * as pricing from './pricing-import/commands.js'
import * as search from './supplier-search/commands.js'
import * as stock from './stock/commands.js'
import { streams } from './streams.js'

const messages = [
  ...Object.values(catalog),
  ...Object.values(stock),
  ...Object.values(pricing),
  ...Object.values(search),
  ...[accounts, audit, administration, settingsCommands].flatMap((module) => Object.values<unknown>(module)),
].filter((value): value is { subject: string } => typeof value === 'object' && value !== null && 'subject' in value)

describe('the messages', () => {
  it('have subjects that are written once', () => {
    const subjects = [...messages.map((message) => message.subject), ...events.eventSubjects]
    expect(new Set(subjects).size).toBe(subjects.length)
    expect(subjects.length).toBeGreaterThan(25)
  })

  it('have subjects of the form service.noun.verb', () => {
    for (const { subject } of messages)
      expect(subject).toMatch(
        /^(gateway|administration|catalog|stock|pricing-import|supplier-search)\.[a-z-]+\.[a-z-]+$/,
      )
  })

  it('keep requests out of every stream', () => {
    const stored: string[] = [...streams.events.subjects, ...streams.media.subjects]
    for (const subject of stored) expect(subject).not.toMatch(/[*>]/)
    for (const { subject } of messages) expect(stored).not.toContain(subject)
  })

  it('have a status for every code', () => {
    for (const status of Object.values(httpStatus)) expect(status).toBeGreaterThanOrEqual(400)
  })
})

describe('the settings', () => {
  it('have defaults that pass their own contract', () => {
    expect(settings.parse(defaultSettings)).toEqual(defaultSettings)
    expect(defaultSettings).toMatchObject(defaultCallSettings)
  })

  it('take any subset', () => {
    expect(settingsPatch.parse({ erp_enabled: true })).toEqual({ erp_enabled: true })
  })

  it.each([
    [{ unknown: 1 }],
    [{ erp_max_batch_items: 5_001 }],
    [{ erp_max_batch_items: 0 }],
    [{ media_wait_ms: 30_001 }],
    [{ erp_enabled: 'yes' }],
    [{ admin_locale: 'de' }],
    [{ erp_storage_id: 0 }],
    [{ erp_error_policy: 'ignore' }],
  ])('refuse %j', (patch) => {
    expect(settingsPatch.safeParse(patch).success).toBe(false)
  })
})
