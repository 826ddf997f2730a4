import type { AdminPath } from '@partsbus/contracts/http/admin'
import * as examples from '../examples/admin-examples.js'
import { refusals } from './error-responses.js'
import type { RouteText } from './route-text.js'

const tag = 'Settings'

const issueText: RouteText = {
  tag,
  description: `Generates a random 256-bit token and shows it this once; only its hash and last four characters are
stored. Every gateway rejects the previous token at once. A body is ignored.`,
  result: 'The token, which cannot be shown again',
  answer: examples.issuedToken,
}
const revokeText = (name: string): RouteText => ({
  tag,
  description: `No ${name} token is accepted until one is issued.`,
  result: 'Revoked, or there was none',
})

export const settingsTexts = {
  'GET /settings': {
    tag,
    description: 'All settings. Of tokens the last four characters are shown.',
    result: 'The settings',
    answer: examples.settingsView,
  },
  'PATCH /settings': {
    tag,
    description:
      'Any subset of the settings; all of it is written, or nothing. Unknown names are violations. Storages and ' +
      'pick-up points must exist. When B2B is enabled without a token afterwards, one is generated and shown this ' +
      'once as `b2b_token.token`.',
    result: 'The settings after the change',
    answer: { ...examples.settingsView, b2b_enabled: true, b2b_token: examples.issuedToken },
    body: { summary: 'Open the ERP API to one network', value: examples.settingsPatch },
    bodyText: 'The settings to change.',
    violations: {
      erp_storage_id: ['The selected erp_storage_id is invalid.'],
      'erp_allowed_ips.2': ['The erp_allowed_ips.2 must be an IP address or a CIDR range.'],
      erp_enable: ['The erp_enable field is unknown.'],
    },
    answers: { 504: refusals.timeout },
  },
  'POST /settings/erp-token': {
    ...issueText,
    description: `Generates a random 256-bit token and shows it this once; only its hash and last four characters are
stored. Every gateway rejects the previous token at once, or with \`overlap_minutes\` after that time, so that an ERP
can be given the new token without a gap. Tokens before the previous one are rejected at once; revoking rejects both.`,
    answer: { ...examples.issuedToken, previous_valid_until: '2026-11-21T10:30:00.000Z' },
    body: { summary: 'Accept the previous token for an hour', value: { overlap_minutes: 60 } },
    bodyText: 'How long the previous token is accepted as well. A body of another media type is ignored.',
    violations: { overlap_minutes: ['The overlap_minutes must not be greater than 10080.'] },
  },
  'DELETE /settings/erp-token': revokeText('ERP'),
  'POST /settings/b2b-token': issueText,
  'DELETE /settings/b2b-token': revokeText('B2B'),
  'GET /audit': {
    tag,
    description:
      'Every change, newest first: who, when and what, without secrets. An entry is written before its change; ' +
      '`"outcome": "unknown"` in its details marks a change without a response in time. Entries older than ' +
      '`audit_retention_days` are deleted.',
    result: 'One page of entries',
    answer: examples.pageWith(...examples.auditEntries),
  },
} satisfies Partial<Record<AdminPath, RouteText>>
