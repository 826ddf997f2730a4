import { auditEntry, auditRequest, issuedToken, settingsPatch, settingsView, tokenIssue } from '../gateway/settings.js'
import { pageOf } from '../paging.js'
import type { OperationRows } from './operation.js'

export const settingsOperations = {
  'GET /settings': { role: 'viewer', status: 200, isRevised: true, answer: settingsView },
  'PATCH /settings': {
    role: 'owner',
    status: 200,
    isRevised: true,
    body: settingsPatch,
    answer: settingsView,
  },
  'POST /settings/erp-token': {
    role: 'owner',
    status: 200,
    isRevised: true,
    body: tokenIssue,
    isBodyOptional: true,
    ignoresOtherMedia: true,
    answer: issuedToken,
  },
  'DELETE /settings/erp-token': { role: 'owner', status: 204, isRevised: true },
  'POST /settings/b2b-token': { role: 'owner', status: 200, isRevised: true, answer: issuedToken },
  'DELETE /settings/b2b-token': { role: 'owner', status: 204, isRevised: true },
  'GET /audit': { role: 'manager', status: 200, query: auditRequest, answer: pageOf(auditEntry) },
} as const satisfies OperationRows
