import type { OwnAccountPatch, Session } from '@partsbus/contracts/gateway/administrator'

type Account = Session['administrator']

/** The fields of their account that people may change. An empty zone is that of the browser. */
export interface AccountDraft {
  display_name: string
  locale: Account['locale']
  time_zone: string
  theme: Account['theme']
}

export const SHORTEST_PASSWORD = 12

export const toAccountDraft = ({ display_name, locale, time_zone, theme }: Account): AccountDraft => ({
  display_name,
  locale,
  time_zone: time_zone ?? '',
  theme,
})

/** Only what differs: the language and the theme can be changed in the head meanwhile. */
export function readAccount(draft: AccountDraft, base: AccountDraft): OwnAccountPatch {
  return {
    ...(draft.display_name !== base.display_name && { display_name: draft.display_name }),
    ...(draft.locale !== base.locale && { locale: draft.locale }),
    ...(draft.time_zone !== base.time_zone && { time_zone: draft.time_zone === '' ? null : draft.time_zone }),
    ...(draft.theme !== base.theme && { theme: draft.theme }),
  }
}

/** The zones to choose from. Browsers leave UTC out, and may not know the stored one. */
export function zoneChoices(known: readonly string[], stored: string): string[] {
  return [...new Set([...(stored === '' ? [] : [stored]), 'UTC', ...known])].toSorted()
}

export type PasswordProblem = 'short' | 'differs'

/** Violations that are found without a request. */
export function passwordProblem({ next, again }: { next: string; again: string }): PasswordProblem | undefined {
  if ([...next].length < SHORTEST_PASSWORD) return 'short'
  return next === again ? undefined : 'differs'
}
