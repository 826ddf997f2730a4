import type { Session } from '@partsbus/contracts/administration/administrator'
import { readChanges } from '../ui/draft-fields.js'

type Account = Session['administrator']

/** The fields of their account that people may change. An empty zone is that of the browser. */
export interface AccountDraft {
  display_name: string
  locale: Account['locale']
  time_zone: string
  theme: Account['theme']
}

export const SHORTEST_PASSWORD = 12

export function toAccountDraft({ administrator }: { administrator: Account }): AccountDraft {
  const { display_name, locale, time_zone, theme } = administrator
  return { display_name, locale, time_zone: time_zone ?? '', theme }
}

/** Only what differs: the language and the theme can be changed in the head meanwhile. */
export function readAccount(draft: AccountDraft, base: AccountDraft) {
  const { time_zone, ...rest } = readChanges(draft, base, {}).body
  return { body: { ...rest, ...(time_zone !== undefined && { time_zone: time_zone === '' ? null : time_zone }) } }
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
