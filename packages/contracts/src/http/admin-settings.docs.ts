import type { settingsRows } from './admin-settings.js'
import type { DocsOf } from './docs.js'

const ISSUED = 'The token, which cannot be shown again'
const REVOKED = 'Revoked, or there was none'

export const settingsDocs: DocsOf<typeof settingsRows> = {
  'GET /settings': {
    description: 'All settings. Of tokens the last four characters are shown.',
    result: 'The settings',
  },
  'PATCH /settings': {
    description:
      'Any subset of the settings; all of it is written, or nothing. Unknown names are violations. Storages and ' +
      'pick-up points must exist. When B2B is enabled without a token afterwards, one is generated and shown this ' +
      'once as `b2b_token.token`.',
    result: 'The settings after the change',
    body: 'The settings to change.',
    violations: {
      erp_storage_id: ['The selected erp_storage_id is invalid.'],
      'erp_allowed_ips.2': ['The erp_allowed_ips.2 must be an IP address or a CIDR range.'],
      erp_enable: ['The erp_enable field is unknown.'],
    },
    requests: {
      'Open the ERP API to one network': {
        erp_enabled: true,
        erp_storage_id: 1,
        erp_pick_up_point_id: 1,
        erp_allowed_ips: ['203.0.113.0/24'],
      },
    },
  },
  'POST /settings/erp-token': {
    description: `Generates a random 256-bit token and shows it this once; only its hash and last four characters are
stored. Every gateway rejects the previous token at once, or with \`overlap_minutes\` after that time, so that an ERP
can be given the new token without a gap. Tokens before the previous one are rejected at once; revoking rejects both.`,
    result: ISSUED,
    body: 'How long the previous token is accepted as well. A body of another media type is ignored.',
    requests: { 'Accept the previous token for an hour': { overlap_minutes: 60 } },
    violations: { overlap_minutes: ['The overlap_minutes must not be greater than 10080.'] },
  },
  'DELETE /settings/erp-token': { description: 'No ERP token is accepted until one is issued.', result: REVOKED },
  'POST /settings/b2b-token': {
    description: `Generates a random 256-bit token and shows it this once; only its hash and last four characters are
stored. Every gateway rejects the previous token at once. A body is ignored.`,
    result: ISSUED,
  },
  'DELETE /settings/b2b-token': { description: 'No B2B token is accepted until one is issued.', result: REVOKED },
  'GET /audit': {
    description:
      'Every change, newest first: who, when and what, without secrets. An entry is written before its change; ' +
      '`"outcome": "unknown"` in its details marks a change without a response in time. Entries older than ' +
      '`audit_retention_days` are deleted.',
    result: 'One page of entries',
  },
}
