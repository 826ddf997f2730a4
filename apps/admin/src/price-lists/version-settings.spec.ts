import { describe, expect, it } from '@jest/globals'
import { hasSettings, isMadeOtherwise, isUnapplied } from './version-settings.js'

const of = (markup_percent: number | null, delivery_days: number | null = null) => ({ markup_percent, delivery_days })

it.each([
  [of(12.5, 3), of(12.5, 3), false],
  [of(0), of(12.5), true],
  [of(12.5, 3), of(12.5), true],
  // of an earlier release
  [of(null), of(12.5), undefined],
  [{} as never, of(12.5), undefined],
])('offers of %j with the settings %j were made otherwise: %s', (version, list, answer) => {
  expect(isMadeOtherwise(version, list)).toBe(answer)
})

it('a version without a markup and days has nothing to show', () => {
  expect([of(0), of(null, 3), of(0, 3), of(-5)].map(hasSettings)).toEqual([false, false, true, true])
})

describe('settings that are not applied', () => {
  const live = { is_active: true }
  const kept = { is_active: false }

  it('are those that differ from the live version, also after a reload', () => {
    expect(
      isUnapplied(
        [
          { ...of(5), ...kept },
          { ...of(0), ...live },
        ],
        of(5),
        false,
      ),
    ).toBe(true)
    expect(isUnapplied([{ ...of(0), ...live }], of(5), false)).toBe(true)
  })

  it('are none where the live version has them, whichever it is', () => {
    expect(isUnapplied([{ ...of(5), ...live }], of(5), true)).toBe(false)
    expect(
      isUnapplied(
        [
          { ...of(0), ...kept },
          { ...of(5), ...live },
        ],
        of(5),
        false,
      ),
    ).toBe(false)
  })

  it.each([
    ['of a list without a version', [], false, false],
    ['when the newest version is live', [live, kept], false, false],
    ['when they were changed here', [live, kept], true, true],
    ['when an older version is live', [kept, live], false, true],
  ])('are judged by the order where those of the version are not known, %s', (_when, versions, isChanged, answer) => {
    expect(
      isUnapplied(
        versions.map((one) => ({ ...of(null), ...one })),
        of(5),
        isChanged,
      ),
    ).toBe(answer)
  })
})
